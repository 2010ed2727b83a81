import { matchPath } from '@remix-run/react';
import { rolesWith } from '#app/auth/roles.ts';
import { bulkFormLimits, postFormLimits, releaseFormLimits } from './form-limits.ts';
import type { Entry, ScreenEntry } from './screen-entry.ts';
import { openScreens } from './open-screens.server.ts';
import type { PendingSubmission } from './pending-submission.ts';
import type { ActionResult, ResultOf } from './screen.ts';
import { writingScreens } from './writing-screens.server.ts';

const writers = rolesWith('posts:write');

/** Every screen of the backend, on one page: its id, address, title, who may enter and its server half. */
export const screens = [
  ...openScreens,
  {
    id: 'dashboard',
    pattern: '',
    title: 'Dashboard',
    access: writers,
    module: () => import('./dashboard/dashboard.server.ts'),
  },
  {
    id: 'posts',
    pattern: 'posts',
    title: 'Posts',
    access: writers,
    module: () => import('./posts/posts.server.ts'),
  },
  {
    id: 'bulk',
    pattern: 'posts/bulk',
    title: 'Several posts',
    access: writers,
    limits: bulkFormLimits,
    module: () => import('./posts/bulk.server.ts'),
  },
  {
    id: 'calendar',
    pattern: 'calendar',
    title: 'Calendar',
    access: writers,
    module: () => import('./calendar/calendar.server.ts'),
  },
  {
    id: 'releases',
    pattern: 'releases',
    title: 'Releases',
    access: rolesWith('posts:publish'),
    module: () => import('./releases/releases.server.ts'),
  },
  {
    id: 'new-release',
    pattern: 'releases/new',
    title: 'New release',
    access: rolesWith('posts:publish'),
    limits: releaseFormLimits,
    module: () => import('./releases/new-release.server.ts'),
  },
  {
    id: 'release',
    pattern: 'releases/:id',
    title: 'Release',
    access: rolesWith('posts:publish'),
    limits: releaseFormLimits,
    module: () => import('./releases/release.server.ts'),
  },
  {
    id: 'time',
    pattern: 'time',
    title: 'Time travel',
    access: rolesWith('posts:publish'),
    module: () => import('./time/time.server.ts'),
  },
  {
    id: 'system',
    pattern: 'system',
    title: 'System',
    access: rolesWith('system:read'),
    module: () => import('./system/system.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/new',
    title: 'New post',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/new.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id',
    title: 'Edit post',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/edit.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id/state',
    title: 'State of a post',
    access: writers,
    module: () => import('./editor/state.server.ts'),
  },
  ...writingScreens,
  {
    id: 'editor',
    pattern: 'preview',
    title: 'Live preview',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/preview.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'find',
    title: 'Find',
    access: writers,
    module: () => import('./palette/find.server.ts'),
  },
  {
    id: 'revisions',
    pattern: 'posts/:id/revisions',
    title: 'Revisions',
    access: writers,
    module: () => import('./revisions/revisions.server.ts'),
  },
  {
    id: 'previews',
    pattern: 'posts/:id/previews',
    title: 'Preview links',
    access: writers,
    module: () => import('./previews/previews.server.ts'),
  },
  {
    id: 'media',
    pattern: 'media',
    title: 'Media',
    access: rolesWith('media:upload'),
    files: true,
    module: () => import('./media/media.server.ts'),
  },
  {
    id: 'media-item',
    pattern: 'media/:id',
    title: 'Media',
    access: rolesWith('media:upload'),
    files: true,
    module: () => import('./media/media-item.server.ts'),
  },
  {
    id: 'categories',
    pattern: 'categories',
    title: 'Categories',
    access: rolesWith('taxonomy:manage'),
    module: () => import('./terms/categories.server.ts'),
  },
  {
    id: 'category',
    pattern: 'categories/:id',
    title: 'Category',
    access: rolesWith('taxonomy:manage'),
    module: () => import('./terms/category.server.ts'),
  },
  {
    id: 'tags',
    pattern: 'tags',
    title: 'Tags',
    access: rolesWith('taxonomy:manage'),
    module: () => import('./terms/tags.server.ts'),
  },
  {
    id: 'tag',
    pattern: 'tags/:id',
    title: 'Tag',
    access: rolesWith('taxonomy:manage'),
    module: () => import('./terms/tag.server.ts'),
  },
  {
    id: 'users',
    pattern: 'users',
    title: 'People',
    access: rolesWith('users:manage'),
    module: () => import('./users/users.server.ts'),
  },
  {
    id: 'new-user',
    pattern: 'users/new',
    title: 'Invite a person',
    access: rolesWith('users:manage'),
    module: () => import('./users/new-user.server.ts'),
  },
  {
    id: 'user',
    pattern: 'users/:id',
    title: 'Account',
    access: rolesWith('users:manage'),
    module: () => import('./users/user.server.ts'),
  },
  {
    id: 'account',
    pattern: 'account',
    title: 'Your account',
    access: writers,
    module: () => import('./account/account.server.ts'),
  },
  {
    id: 'second-factor',
    pattern: 'account/second-factor',
    title: 'Second factor',
    access: writers,
    module: () => import('./account/second-factor.server.ts'),
  },
  {
    id: 'audit',
    pattern: 'audit',
    title: 'Audit log',
    access: rolesWith('audit:read'),
    module: () => import('./audit/audit.server.ts'),
  },
  {
    id: 'appearance',
    pattern: 'appearance',
    title: 'Appearance',
    access: rolesWith('settings:manage'),
    module: () => import('./appearance/appearance.server.ts'),
  },
  {
    id: 'appearance-preview',
    pattern: 'appearance/preview/*',
    title: 'Preview of the appearance',
    access: rolesWith('settings:manage'),
    module: () => import('./appearance/preview.server.ts'),
  },
  {
    id: 'settings',
    pattern: 'settings/:group?',
    title: 'Settings',
    access: rolesWith('settings:manage'),
    module: () => import('./settings/settings.server.ts'),
  },
] as const satisfies readonly Entry[];

/** A screen of the table. */
export type Screen = (typeof screens)[number] & Pick<ScreenEntry, 'limits' | 'files'>;

type ModuleOf<Id extends Screen['id']> = Awaited<ReturnType<Extract<Screen, { id: Id }>['module']>>;

/** Ids of the pages that the backend shows. `resume` is shown at the end of a login and has no address. */
export type PageId = Screen['id'] | 'resume';

/** What a page shows, typed by its loader. */
export type ScreenData<Id extends PageId> = Id extends Screen['id']
  ? Exclude<Awaited<ReturnType<ModuleOf<Id>['load']>>, Response>
  : PendingSubmission;

/** What a page's action shows beside it. */
export type ScreenResult<Id extends PageId> = Id extends Screen['id']
  ? ResultOf<ActOf<ModuleOf<Id>>>
  : ActionResult;

type ActOf<Module> = Module extends { act: infer Act } ? Act : () => Promise<ActionResult>;

/** The screen at a path below the admin path, with its parameters. */
export function findScreen(
  path: string,
): { screen: Screen; params: Record<string, string | undefined> } | null {
  for (const screen of screens) {
    const match = matchPath({ path: `/${screen.pattern}`, end: true, caseSensitive: true }, `/${path}`);
    if (match) return { screen, params: match.params };
  }
  return null;
}
