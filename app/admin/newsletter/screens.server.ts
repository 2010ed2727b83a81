import { rolesWith } from '#app/people/roles.ts';

/** The screens of the newsletter. */
export const newsletterScreens = [
  {
    id: 'newsletter',
    pattern: 'newsletter',
    title: 'Newsletter',
    menu: { group: 1, icon: 'mail' },
    access: rolesWith('posts:all'),
    module: () => import('./newsletter.server.ts'),
  },
  {
    id: 'issue',
    pattern: 'newsletter/:id',
    title: 'Issue',
    below: 'newsletter',
    access: rolesWith('posts:all'),
    module: () => import('./issue.server.ts'),
  },
  {
    id: 'subscribers',
    pattern: 'subscribers',
    title: 'Subscribers',
    below: 'newsletter',
    access: rolesWith('settings:manage'),
    module: () => import('./subscribers.server.ts'),
  },
  {
    id: 'mail',
    pattern: 'posts/:id/mail',
    title: 'Email preview',
    below: 'posts',
    access: rolesWith('posts:publish'),
    module: () => import('./mail.server.ts'),
  },
] as const;
