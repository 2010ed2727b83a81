import { rolesWith } from '#app/people/roles.ts';
import { postFormLimits } from './frame/form-limits.ts';
import type { Entry } from './screen-entry.ts';

const writers = rolesWith('posts:write');

/** The part of the screen table for duplicating, publishing, the trash and editing on the site. */
export const writingScreens = [
  {
    id: 'editor',
    pattern: 'posts/:id/duplicate',
    title: 'Duplicate post',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/page/duplicate.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'posts/:id/publish',
    title: 'Publish',
    access: rolesWith('posts:publish'),
    limits: postFormLimits,
    module: () => import('./publish/publish.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'publish-check',
    title: 'Check before publishing',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/preview/check.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'card-preview',
    title: 'Picture in shared links',
    access: writers,
    module: () => import('./editor/preview/card.server.ts'),
  },
  {
    id: 'trash',
    pattern: 'trash',
    title: 'Trash',
    access: writers,
    module: () => import('./trash/trash.server.ts'),
  },
  {
    id: 'trash',
    pattern: 'undo',
    title: 'Undo',
    access: writers,
    module: () => import('./frame/undo.server.ts'),
  },
  {
    id: 'site-view',
    pattern: 'site/*',
    title: 'The site',
    access: writers,
    module: () => import('./site-view/site-view.server.ts'),
  },
  {
    id: 'site-view',
    pattern: 'edit',
    title: 'Edit',
    access: writers,
    module: () => import('./site-view/edit-address.server.ts'),
  },
] as const satisfies readonly Entry[];
