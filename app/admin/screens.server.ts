import { rolesWith, type Role } from '#app/people/roles.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import { bulkFormLimits, postFormLimits, releaseFormLimits } from './frame/screen.ts';
import type { FormLimits, MenuPlace, ScreenModule } from './frame/screen.ts';
import { effectScreens } from './effects/screens.server.ts';
import { newsletterScreens } from './newsletter/screens.server.ts';

/** What every entry of the screen table contains. */
interface ScreenEntry {
  id: string;
  /** A React Router pattern below the admin path. The first entry that matches is used. */
  pattern: string;
  title: string;
  /** Absent: neither the menu nor the palette leads to it. Its order in the menu is the order here. */
  menu?: MenuPlace;
  /** The id of the screen in the menu that is marked as the current one. */
  below?: string;
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

const belowPosts = { below: 'posts', access: writers } as const;

const appearancePreview = {
  title: 'Appearance preview',
  access: rolesWith('settings:manage'),
  module: () => import('./appearance/preview.server.ts'),
} as const;

/**
 * Every screen of the backend: its id, address, title, place in the menu, server half, and who may open it. Its view is
 * in `views.tsx`, since a browser must not load the server halves; a screen without a view does not compile.
 */
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
    menu: { group: 1, icon: 'dashboard' },
    access: writers,
    module: () => import('./dashboard/dashboard.server.ts'),
  },
  {
    id: 'posts',
    pattern: 'posts',
    title: 'Posts',
    menu: { group: 1, icon: 'posts' },
    access: writers,
    module: () => import('./posts/posts.server.ts'),
  },
  {
    id: 'bulk',
    pattern: 'posts/bulk',
    title: 'Several posts',
    ...belowPosts,
    limits: bulkFormLimits,
    module: () => import('./posts/bulk.server.ts'),
  },
  {
    id: 'calendar',
    pattern: 'calendar',
    title: 'Calendar',
    menu: { group: 1, icon: 'calendar' },
    access: writers,
    module: () => import('./calendar/calendar.server.ts'),
  },
  {
    id: 'releases',
    pattern: 'releases',
    title: 'Releases',
    menu: { group: 1, icon: 'release' },
    access: rolesWith('posts:publish'),
    module: () => import('./releases/releases.server.ts'),
  },
  {
    id: 'new-release',
    pattern: 'releases/new',
    title: 'New release',
    below: 'releases',
    access: rolesWith('posts:publish'),
    limits: releaseFormLimits,
    module: () => import('./releases/new.server.ts'),
  },
  {
    id: 'release',
    pattern: 'releases/:id',
    title: 'Release',
    below: 'releases',
    access: rolesWith('posts:publish'),
    limits: releaseFormLimits,
    module: () => import('./releases/release.server.ts'),
  },
  {
    id: 'time',
    pattern: 'time',
    title: 'Time travel',
    menu: { group: 1, icon: 'time' },
    access: rolesWith('posts:publish'),
    module: () => import('./time-travel/time.server.ts'),
  },
  {
    id: 'media',
    pattern: 'media',
    title: 'Media',
    menu: { group: 1, icon: 'media' },
    access: rolesWith('media:upload'),
    files: true,
    module: () => import('./media/media.server.ts'),
  },
  {
    id: 'media-item',
    pattern: 'media/:id',
    title: 'Media',
    below: 'media',
    access: rolesWith('media:upload'),
    files: true,
    module: () => import('./media/item.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/new',
    title: 'New post',
    ...belowPosts,
    limits: postFormLimits,
    module: () => import('./editor/page/new.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id',
    title: 'Edit post',
    ...belowPosts,
    limits: postFormLimits,
    module: () => import('./editor/page/edit.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id/state',
    title: 'State of a post',
    ...belowPosts,
    module: () => import('./editor/page/state.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'posts/:id/duplicate',
    title: 'Duplicate post',
    ...belowPosts,
    limits: postFormLimits,
    module: () => import('./editor/page/duplicate.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'posts/:id/publish',
    title: 'Publish',
    below: 'posts',
    access: rolesWith('posts:publish'),
    limits: postFormLimits,
    module: () => import('./publish/publish.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'publish-check',
    title: 'Check before publishing',
    ...belowPosts,
    limits: postFormLimits,
    module: () => import('./editor/preview/check.server.ts'),
  },
  {
    id: 'publish',
    pattern: 'card-preview',
    title: 'Picture in shared links',
    ...belowPosts,
    module: () => import('./editor/preview/card.server.ts'),
  },
  {
    id: 'trash',
    pattern: 'trash',
    title: 'Trash',
    menu: { group: 1, icon: 'trash' },
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
    ...belowPosts,
    limits: postFormLimits,
    module: () => import('./editor/preview/preview.server.ts'),
  },
  {
    id: 'editor',
    pattern: 'find',
    title: 'Find',
    ...belowPosts,
    module: () => import('./palette/find.server.ts'),
  },
  {
    id: 'revisions',
    pattern: 'posts/:id/revisions',
    title: 'Revisions',
    ...belowPosts,
    module: () => import('./revisions/revisions.server.ts'),
  },
  {
    id: 'snippets',
    pattern: 'snippets',
    title: 'Snippets',
    ...belowPosts,
    module: () => import('./snippets/snippets.server.ts'),
  },
  {
    id: 'previews',
    pattern: 'posts/:id/previews',
    title: 'Preview links',
    ...belowPosts,
    module: () => import('./previews/previews.server.ts'),
  },
  {
    id: 'categories',
    pattern: 'categories',
    title: 'Categories',
    menu: { group: 2, icon: 'category' },
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).categoriesScreen,
  },
  {
    id: 'category',
    pattern: 'categories/:id',
    title: 'Category',
    below: 'categories',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).categoryScreen,
  },
  {
    id: 'tags',
    pattern: 'tags',
    title: 'Tags',
    menu: { group: 2, icon: 'tag' },
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).tagsScreen,
  },
  {
    id: 'tag',
    pattern: 'tags/:id',
    title: 'Tag',
    below: 'tags',
    access: rolesWith('taxonomy:manage'),
    module: async () => (await import('./terms/terms.server.ts')).tagScreen,
  },
  {
    id: 'users',
    pattern: 'users',
    title: 'People',
    menu: { group: 3, icon: 'people' },
    access: rolesWith('users:manage'),
    module: () => import('./users/users.server.ts'),
  },
  {
    id: 'new-user',
    pattern: 'users/new',
    title: 'Invite a person',
    below: 'users',
    access: rolesWith('users:manage'),
    module: () => import('./users/new.server.ts'),
  },
  {
    id: 'user',
    pattern: 'users/:id',
    title: 'Account',
    below: 'users',
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
    id: 'appearance',
    pattern: 'appearance',
    title: 'Appearance',
    menu: { group: 3, icon: 'appearance' },
    access: rolesWith('settings:manage'),
    module: () => import('./appearance/appearance.server.ts'),
  },
  { id: 'appearance-preview', pattern: 'appearance/preview/*', ...appearancePreview },
  { id: 'appearance-preview', pattern: 'appearance/presets/:preset/*', ...appearancePreview },
  {
    id: 'settings',
    pattern: 'settings/:group?',
    title: 'Settings',
    menu: { group: 3, icon: 'settings', path: 'settings/site' },
    access: rolesWith('settings:manage'),
    module: () => import('./settings/settings.server.ts'),
  },
  ...([...effectScreens, ...newsletterScreens] as const),
  {
    id: 'system',
    pattern: 'system',
    title: 'System',
    menu: { group: 3, icon: 'system' },
    access: rolesWith('system:read'),
    module: () => import('./system/system.server.ts'),
  },
  {
    id: 'audit',
    pattern: 'audit',
    title: 'Audit log',
    menu: { group: 3, icon: 'audit' },
    access: rolesWith('audit:read'),
    module: () => import('./audit/audit.server.ts'),
  },
] as const satisfies readonly Entry[];

/** A screen of the table. */
export type Screen = (typeof screens)[number] & Pick<ScreenEntry, 'below' | 'files' | 'limits' | 'menu'>;
