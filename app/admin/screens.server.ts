import { rolesWith, type Role } from '#app/people/roles.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import type { IconName } from '#app/ui/icon.tsx';
import { bulkFormLimits, postFormLimits, releaseFormLimits } from './frame/screen.ts';
import type { FormLimits, MenuPlace, ScreenModule } from './frame/screen.ts';

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

// The roles that may open a screen.
const writers = rolesWith('posts:write');
const publishers = rolesWith('posts:publish');
const uploaders = rolesWith('media:upload');
const termManagers = rolesWith('taxonomy:manage');
const managers = rolesWith('settings:manage');
const userManagers = rolesWith('users:manage');
const editors = rolesWith('posts:all');
const operators = rolesWith('system:read');

// The server halves, loaded when their screen is first opened.
const login = async () => (await import('./login/login.server.ts')).loginScreen;
const loginCode = async () => (await import('./login/login.server.ts')).codeScreen;
const forgot = async () => (await import('./login/login.server.ts')).forgotScreen;
const resetPassword = async () => (await import('./login/login.server.ts')).resetScreen;
const invitation = async () => (await import('./login/login.server.ts')).invitationScreen;
const logout = async () => (await import('./login/login.server.ts')).logoutScreen;
const dashboard = () => import('./dashboard/dashboard.server.ts');
const posts = () => import('./posts/posts.server.ts');
const bulk = () => import('./posts/bulk.server.ts');
const calendar = () => import('./calendar/calendar.server.ts');
const releases = async () => (await import('./releases/releases.server.ts')).releasesScreen;
const newRelease = async () => (await import('./releases/releases.server.ts')).newReleaseScreen;
const release = () => import('./releases/release.server.ts');
const time = () => import('./time-travel/time.server.ts');
const media = () => import('./media/media.server.ts');
const mediaItem = () => import('./media/item.server.ts');
const newPost = () => import('./editor/page/new.server.ts');
const editPost = () => import('./editor/page/edit.server.ts');
const postState = () => import('./editor/page/state.server.ts');
const duplicatePost = () => import('./editor/page/duplicate.server.ts');
const publish = () => import('./publish/publish.server.ts');
const publishCheck = () => import('./editor/preview/check.server.ts');
const cardPreview = () => import('./editor/preview/card.server.ts');
const trash = () => import('./trash/trash.server.ts');
const undo = () => import('./frame/undo.server.ts');
const siteView = () => import('./site-view/site-view.server.ts');
const editAddress = () => import('./site-view/edit-address.server.ts');
const livePreview = () => import('./editor/preview/preview.server.ts');
const find = () => import('./palette/find.server.ts');
const revisions = () => import('./revisions/revisions.server.ts');
const snippets = () => import('./snippets/snippets.server.ts');
const previews = () => import('./previews/previews.server.ts');
const categories = async () => (await import('./terms/terms.server.ts')).categoriesScreen;
const category = async () => (await import('./terms/terms.server.ts')).categoryScreen;
const tags = async () => (await import('./terms/terms.server.ts')).tagsScreen;
const tag = async () => (await import('./terms/terms.server.ts')).tagScreen;
const users = async () => (await import('./users/users.server.ts')).usersScreen;
const newUser = async () => (await import('./users/users.server.ts')).newUserScreen;
const user = async () => (await import('./users/users.server.ts')).userScreen;
const account = async () => (await import('./account/account.server.ts')).accountScreen;
const secondFactor = async () => (await import('./account/account.server.ts')).secondFactorScreen;
const appearance = () => import('./appearance/appearance.server.ts');
const appearancePreview = () => import('./appearance/preview.server.ts');
const settings = () => import('./settings/settings.server.ts');
const effects = () => import('./effects/effects.server.ts');
const webhooks = async () => (await import('./webhooks/webhooks.server.ts')).webhooksScreen;
const newWebhook = async () => (await import('./webhooks/webhooks.server.ts')).newWebhookScreen;
const webhook = async () => (await import('./webhooks/webhooks.server.ts')).webhookScreen;
const deliveries = async () => (await import('./webhooks/webhooks.server.ts')).deliveriesScreen;
const newsletter = async () => (await import('./newsletter/newsletter.server.ts')).newsletterScreen;
const issue = async () => (await import('./newsletter/newsletter.server.ts')).issueScreen;
const subscribers = async () => (await import('./newsletter/newsletter.server.ts')).subscribersScreen;
const mail = () => import('./newsletter/mail.server.ts');
const system = () => import('./system/system.server.ts');
const audit = () => import('./audit/audit.server.ts');

const at = <const Id extends string>(id: Id, pattern: string, title: string) => ({ id, pattern, title });

const menu = (group: MenuPlace['group'], icon: IconName, path?: string) => ({
  menu: { group, icon, ...(path && { path }) },
});

const belowPosts = { below: 'posts', access: writers } as const;

/**
 * Every screen of the backend: its id, address, title, place in the menu, server half, and who may open it. Its view is
 * in `views.tsx`, since a browser must not load the server halves; a screen without a view does not compile.
 */
export const screens = [
  { ...at('login', 'login', 'Log in'), access: 'everybody', module: login },
  { ...at('login-code', 'login/code', 'Log in'), access: 'everybody', module: loginCode },
  { ...at('forgot', 'login/forgot', 'Reset password'), access: 'everybody', module: forgot },
  {
    ...at('choose-password', 'login/reset', 'Choose a password'),
    access: 'everybody',
    module: resetPassword,
  },
  { ...at('choose-password', 'login/invitation', 'Welcome'), access: 'everybody', module: invitation },
  { ...at('logout', 'logout', 'Log out'), access: 'everybody', module: logout },
  { ...at('dashboard', '', 'Dashboard'), access: writers, ...menu(1, 'dashboard'), module: dashboard },
  { ...at('posts', 'posts', 'Posts'), access: writers, ...menu(1, 'posts'), module: posts },
  { ...at('bulk', 'posts/bulk', 'Several posts'), ...belowPosts, limits: bulkFormLimits, module: bulk },
  { ...at('calendar', 'calendar', 'Calendar'), access: writers, ...menu(1, 'calendar'), module: calendar },
  { ...at('releases', 'releases', 'Releases'), access: publishers, ...menu(1, 'release'), module: releases },
  {
    ...at('new-release', 'releases/new', 'New release'),
    access: publishers,
    below: 'releases',
    limits: releaseFormLimits,
    module: newRelease,
  },
  {
    ...at('release', 'releases/:id', 'Release'),
    access: publishers,
    below: 'releases',
    limits: releaseFormLimits,
    module: release,
  },
  { ...at('time', 'time', 'Time travel'), access: publishers, ...menu(1, 'time'), module: time },
  { ...at('media', 'media', 'Media'), access: uploaders, ...menu(1, 'media'), files: true, module: media },
  {
    ...at('media-item', 'media/:id', 'Media'),
    access: uploaders,
    below: 'media',
    files: true,
    module: mediaItem,
  },
  { ...at('editor', 'posts/new', 'New post'), ...belowPosts, limits: postFormLimits, module: newPost },
  { ...at('editor', 'posts/:id', 'Edit post'), ...belowPosts, limits: postFormLimits, module: editPost },
  { ...at('editor', 'posts/:id/state', 'State of a post'), ...belowPosts, module: postState },
  {
    ...at('editor', 'posts/:id/duplicate', 'Duplicate post'),
    ...belowPosts,
    limits: postFormLimits,
    module: duplicatePost,
  },
  {
    ...at('publish', 'posts/:id/publish', 'Publish'),
    access: publishers,
    below: 'posts',
    limits: postFormLimits,
    module: publish,
  },
  {
    ...at('publish', 'publish-check', 'Check before publishing'),
    ...belowPosts,
    limits: postFormLimits,
    module: publishCheck,
  },
  { ...at('publish', 'card-preview', 'Picture in shared links'), ...belowPosts, module: cardPreview },
  { ...at('trash', 'trash', 'Trash'), access: writers, ...menu(1, 'trash'), module: trash },
  { ...at('trash', 'undo', 'Undo'), access: writers, module: undo },
  { ...at('site-view', 'site/*', 'The site'), access: writers, module: siteView },
  { ...at('site-view', 'edit', 'Edit'), access: writers, module: editAddress },
  { ...at('editor', 'preview', 'Live preview'), ...belowPosts, limits: postFormLimits, module: livePreview },
  { ...at('editor', 'find', 'Find'), ...belowPosts, module: find },
  { ...at('revisions', 'posts/:id/revisions', 'Revisions'), ...belowPosts, module: revisions },
  { ...at('snippets', 'snippets', 'Snippets'), ...belowPosts, module: snippets },
  { ...at('previews', 'posts/:id/previews', 'Preview links'), ...belowPosts, module: previews },
  {
    ...at('categories', 'categories', 'Categories'),
    access: termManagers,
    ...menu(2, 'category'),
    module: categories,
  },
  {
    ...at('category', 'categories/:id', 'Category'),
    access: termManagers,
    below: 'categories',
    module: category,
  },
  { ...at('tags', 'tags', 'Tags'), access: termManagers, ...menu(2, 'tag'), module: tags },
  { ...at('tag', 'tags/:id', 'Tag'), access: termManagers, below: 'tags', module: tag },
  { ...at('users', 'users', 'People'), access: userManagers, ...menu(3, 'people'), module: users },
  {
    ...at('new-user', 'users/new', 'Invite a person'),
    access: userManagers,
    below: 'users',
    module: newUser,
  },
  { ...at('user', 'users/:id', 'Account'), access: userManagers, below: 'users', module: user },
  { ...at('account', 'account', 'Your account'), access: writers, module: account },
  { ...at('second-factor', 'account/second-factor', 'Second factor'), access: writers, module: secondFactor },
  {
    ...at('appearance', 'appearance', 'Appearance'),
    access: managers,
    ...menu(3, 'appearance'),
    module: appearance,
  },
  {
    ...at('appearance-preview', 'appearance/preview/*', 'Appearance preview'),
    access: managers,
    module: appearancePreview,
  },
  {
    ...at('appearance-preview', 'appearance/presets/:preset/*', 'Appearance preview'),
    access: managers,
    module: appearancePreview,
  },
  {
    ...at('settings', 'settings/:group?', 'Settings'),
    access: managers,
    ...menu(3, 'settings', 'settings/site'),
    module: settings,
  },
  { ...at('effects', 'effects', 'Effects'), access: operators, below: 'webhooks', module: effects },
  { ...at('webhooks', 'webhooks', 'Webhooks'), access: managers, ...menu(3, 'webhook'), module: webhooks },
  {
    ...at('new-webhook', 'webhooks/new', 'Add webhook'),
    access: managers,
    below: 'webhooks',
    module: newWebhook,
  },
  { ...at('webhook', 'webhooks/:id', 'Webhook'), access: managers, below: 'webhooks', module: webhook },
  {
    ...at('deliveries', 'webhooks/:id/deliveries', 'Deliveries'),
    access: managers,
    below: 'webhooks',
    module: deliveries,
  },
  {
    ...at('newsletter', 'newsletter', 'Newsletter'),
    access: editors,
    ...menu(1, 'mail'),
    module: newsletter,
  },
  { ...at('issue', 'newsletter/:id', 'Issue'), access: editors, below: 'newsletter', module: issue },
  {
    ...at('subscribers', 'subscribers', 'Subscribers'),
    access: managers,
    below: 'newsletter',
    module: subscribers,
  },
  { ...at('mail', 'posts/:id/mail', 'Email preview'), access: publishers, below: 'posts', module: mail },
  { ...at('system', 'system', 'System'), access: operators, ...menu(3, 'system'), module: system },
  {
    ...at('audit', 'audit', 'Audit log'),
    access: rolesWith('audit:read'),
    ...menu(3, 'audit'),
    module: audit,
  },
] as const satisfies readonly Entry[];

export type Screen = (typeof screens)[number] & Pick<ScreenEntry, 'below' | 'files' | 'limits' | 'menu'>;
