import { matchPath } from '@remix-run/react';
import { rolesWith, type Role } from '#app/people/roles.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import { bulkFormLimits, postFormLimits, releaseFormLimits, type FormLimits } from './frame/form-limits.ts';
import type { ScreenModule } from './frame/screen.ts';

/** What every entry of the screen table contains. */
interface ScreenEntry {
  id: string;
  /** A React Router pattern below the admin path. The first entry that matches is used. */
  pattern: string;
  title: string;
  /** Limits of the screen's form; `formLimits` when absent. Forms without a login have other limits. */
  limits?: FormLimits;
  /** True for a form that takes files. The action reads the body itself. */
  files?: true;
}

/** An entry of the screen table: open to everybody, or to roles. */
type Entry =
  | (ScreenEntry & { access: 'everybody'; module: () => Promise<Required<ScreenModule<SessionUser | null>>> })
  | (ScreenEntry & { access: readonly Role[]; module: () => Promise<ScreenModule> });

const writers = rolesWith('posts:write');

/** Every screen of the backend: its id, address, title, server half, and who may open it. */
export const screens = [
  {
    id: 'login',
    pattern: 'login',
    title: 'Log in',
    access: 'everybody',
    module: () => import('./login/login.server.ts'),
  },
  {
    id: 'login-code',
    pattern: 'login/code',
    title: 'Log in',
    access: 'everybody',
    module: () => import('./login/code.server.ts'),
  },
  {
    id: 'forgot',
    pattern: 'login/forgot',
    title: 'Reset password',
    access: 'everybody',
    module: () => import('./login/forgot.server.ts'),
  },
  {
    id: 'choose-password',
    pattern: 'login/reset',
    title: 'Choose a password',
    access: 'everybody',
    module: async () => (await import('./login/choose-password.server.ts')).resetScreen,
  },
  {
    id: 'choose-password',
    pattern: 'login/invitation',
    title: 'Welcome',
    access: 'everybody',
    module: async () => (await import('./login/choose-password.server.ts')).invitationScreen,
  },
  {
    id: 'logout',
    pattern: 'logout',
    title: 'Log out',
    access: 'everybody',
    module: () => import('./login/logout.server.ts'),
  },
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
    module: () => import('./releases/new.server.ts'),
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
    module: () => import('./time-travel/time.server.ts'),
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
    module: () => import('./editor/page/new.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id',
    title: 'Edit post',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/page/edit.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id/state',
    title: 'State of a post',
    access: writers,
    module: () => import('./editor/page/state.server.ts'),
  },
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
  {
    id: 'editor',
    pattern: 'preview',
    title: 'Live preview',
    access: writers,
    limits: postFormLimits,
    module: () => import('./editor/page/preview.server.ts'),
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
    module: () => import('./media/item.server.ts'),
  },
  {
    id: 'categories',
    pattern: 'categories',
    title: 'Categories',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).categoriesScreen,
  },
  {
    id: 'category',
    pattern: 'categories/:id',
    title: 'Category',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/term.server.ts')).categoryScreen,
  },
  {
    id: 'tags',
    pattern: 'tags',
    title: 'Tags',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).tagsScreen,
  },
  {
    id: 'tag',
    pattern: 'tags/:id',
    title: 'Tag',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/term.server.ts')).tagScreen,
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
    module: () => import('./users/new.server.ts'),
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

/** The screen at a path below the admin path, with the parameters of its pattern. */
export function findScreen(
  path: string,
): { screen: Screen; params: Record<string, string | undefined> } | null {
  for (const screen of screens) {
    const match = matchPath({ path: `/${screen.pattern}`, end: true, caseSensitive: true }, `/${path}`);
    if (match) return { screen, params: match.params };
  }
  return null;
}
