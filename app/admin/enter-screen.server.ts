import { redirect, type AppLoadContext } from '@remix-run/node';
import { matchPath } from '@remix-run/react';
import { wantsJson } from '#app/admin/frame/json-answers.server.ts';
import { PAGE_USER_HEADER } from '#app/admin/frame/page-user-field.tsx';
import { otherAccount } from '#app/admin/frame/read-form.server.ts';
import type { AdminContext, MenuEntry, ScreenArguments } from '#app/admin/frame/screen.ts';
import { loadWords } from '#app/admin/languages/catalogues.ts';
import { backendLanguage } from '#app/admin/languages/words-for.server.ts';
import type { App } from '#app/app.ts';
import { readSession, type SessionUser } from '#app/people/sessions/sessions.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { notFound } from '#app/site/shell/not-found.server.ts';
import { wordsIn } from '#app/ui/words.ts';
import { pageTitle, type PageId, type ScreenData } from './screen-types.ts';
import { screens, type Screen } from './screens.server.ts';

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

/** A request for an address that matches no public route. */
export interface Incoming {
  app: App;
  request: Request;
  /** The client's address, as the trusted proxies report it. */
  address: string;
  context: AppLoadContext;
}

/** A screen as the route's component renders it. */
export interface ScreenPage<Id extends PageId = PageId> {
  id: Id;
  title: string;
  /** The language of the page's texts: the user's, or English if the backend is not translated into that. */
  language: string;
  adminContext: AdminContext;
  data: ScreenData<Id>;
}

/** The part of an action's outcome that `entry.server`, or the loader that Remix runs next, reads. */
export interface AdminAnswer {
  /** Sent unchanged, instead of a page. */
  response?: Response;
  /** Shown instead of the page at the request's address. */
  page?: ScreenPage;
  pending?: AdminContext['pending'];
}

/** A screen with the arguments of its loader and action. */
export interface Entered {
  screen: Screen;
  args: ScreenArguments<SessionUser | null>;
}

/**
 * Finds the screen of an address. `readShared` notices every change of the settings, so a new admin path applies to all
 * processes at once.
 */
export async function enter(incoming: Incoming): Promise<Entered> {
  const { app, request, address, context } = incoming;
  // Not decoded: another spelling of the path, such as a percent-encoded one, is another address.
  const { pathname, search } = new URL(request.url);
  const [, first, ...rest] = pathname.split('/');
  const settings = await readShared(app, 'settings', readSettings);
  const isBackend = first === settings.admin_path && !context.isSiteView;
  const matched = isBackend ? findScreen(rest.join('/')) : null;
  if (!matched) throw await redirectOrNotFound(incoming);
  // A splat contains addresses of the public site, where the home page ends in a slash.
  if (pathname.endsWith('/') && !matched.screen.pattern.endsWith('*')) {
    if (isRead(request)) throw redirect(pathname.replace(/\/+$/, '') + search, 301);
    throw await redirectOrNotFound(incoming);
  }
  const user = await readSession(app, request);
  const pageUser = request.headers.get(PAGE_USER_HEADER);
  if (user && pageUser !== null && pageUser !== user.id) throw otherAccount();
  if (user) context.ownLanguage = user.language;
  const allowed = screens.filter((screen) => isAllowed(screen, user));
  const adminContext: AdminContext = {
    adminPath: settings.admin_path,
    siteTitle: settings.site_title,
    siteUrl: app.env.siteUrl,
    now: app.clock.now(),
    timeZone: settings.site_timezone,
    language: user?.language || settings.site_language,
    user: user && { id: user.id, displayName: user.displayName, role: user.role },
    screens: allowed.map(({ id }) => id),
    menu: menuOf(allowed),
    pending: context.admin?.pending,
  };
  // Before anything of the screen is put together. All languages at the start would take 6 MB (measured).
  context.backendLanguage = backendLanguage(adminContext);
  await loadWords(context.backendLanguage);
  const { metrics, renderSiteView, allowOwnFrames, allowMail } = context;
  const own = { app, request, params: matched.params, user, adminContext, address };
  return { screen: matched.screen, args: { ...own, metrics, renderSiteView, allowOwnFrames, allowMail } };
}

/** Runs the screen's loader. @throws AppError `unauthorized`, `forbidden`. */
export async function load({ screen, args }: Entered): Promise<ScreenPage | Response> {
  const loaded =
    screen.access === 'everybody'
      ? await (await screen.module()).load(args)
      : await (await screen.module()).load(withUser(screen, args));
  if (loaded instanceof Response) return loaded;
  const page = inOwnLanguage(screen.title, args.adminContext);
  return { id: screen.id, ...page, title: pageTitle(screen.id, page.title, loaded), data: loaded };
}

/** A page's title in the user's language, with that language. */
export function inOwnLanguage(title: string, adminContext: AdminContext) {
  const language = backendLanguage(adminContext);
  return { title: wordsIn(language)(title), language, adminContext };
}

export function isAllowed(screen: Screen, user: SessionUser | null): boolean {
  return screen.access === 'everybody' || (user !== null && screen.access.includes(user.role));
}

/** The arguments of a screen that needs a login. @throws AppError `unauthorized`, `forbidden`. */
export function withUser(screen: Screen, args: Entered['args']): ScreenArguments {
  const { user } = args;
  if (!user) throw new AppError('unauthorized', 'You have been logged out.');
  if (!isAllowed(screen, user)) throw new AppError('forbidden', 'Your role can’t open this page.');
  return { ...args, user };
}

async function redirectOrNotFound({ app, request }: Incoming): Promise<unknown> {
  if (isRead(request)) {
    const target = await findRedirect(app, new URL(request.url).pathname);
    if (target) return redirect(target, { status: 301, headers: { 'Cache-Control': 'public, no-cache' } });
  }
  return wantsJson(request) ? new AppError('not_found', 'Not found.') : notFound(app);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The menu of a user who may open these screens. */
export function menuOf(allowed: readonly Screen[]): MenuEntry[][] {
  const entries = allowed.flatMap(({ id, title, pattern, menu }) =>
    menu ? [{ ...menu, id, title, path: menu.path ?? pattern }] : [],
  );
  return [1, 2, 3].map((group) =>
    entries
      .filter((entry) => entry.group === group)
      .map(({ id, title, icon, path }) => ({
        title,
        icon,
        segments: path.split('/').filter(Boolean),
        screens: [
          id,
          ...new Set(screens.flatMap((screen: Screen) => (screen.below === id ? [screen.id] : []))),
        ],
      })),
  );
}
