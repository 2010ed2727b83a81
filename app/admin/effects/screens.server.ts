import { rolesWith } from '#app/people/roles.ts';

/** The screens of webhooks and of what else changes cause outside. */
export const effectScreens = [
  {
    id: 'effects',
    pattern: 'effects',
    title: 'Effects',
    below: 'webhooks',
    access: rolesWith('system:read'),
    module: () => import('./effects.server.ts'),
  },
  {
    id: 'webhooks',
    pattern: 'webhooks',
    title: 'Webhooks',
    menu: { group: 3, icon: 'webhook' },
    access: rolesWith('settings:manage'),
    module: () => import('../webhooks/webhooks.server.ts'),
  },
  {
    id: 'new-webhook',
    pattern: 'webhooks/new',
    title: 'Add webhook',
    below: 'webhooks',
    access: rolesWith('settings:manage'),
    module: () => import('../webhooks/new.server.ts'),
  },
  {
    id: 'webhook',
    pattern: 'webhooks/:id',
    title: 'Webhook',
    below: 'webhooks',
    access: rolesWith('settings:manage'),
    module: () => import('../webhooks/webhook.server.ts'),
  },
  {
    id: 'deliveries',
    pattern: 'webhooks/:id/deliveries',
    title: 'Deliveries',
    below: 'webhooks',
    access: rolesWith('settings:manage'),
    module: () => import('../webhooks/deliveries.server.ts'),
  },
] as const;
