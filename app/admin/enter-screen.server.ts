import { redirect } from '@remix-run/node';
import type { AppLoadContext } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { readSession, type SessionUser } from '#app/auth/sessions.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { readShared } from '#app/platform/shared-reads.ts';
import { findRedirect } from '#app/posts/redirects.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { supportedLanguage } from '#app/platform/supported-languages.ts';
import { notFound } from '#app/site/not-found.server.ts';
import { wordsIn } from '#app/ui/words.ts';
import { wantsJson } from './json-answers.server.ts';
import type { AdminContext, ScreenArguments } from './screen.ts';
import type { PageId, ScreenData } from './screen-types.ts';
import { findScreen } from './find-screen.server.ts';
import { screens, type Screen } from './screens.server.ts';

/** A request for an address that no public route matches. */
export interface Incoming {
  app: App;
  request: Request;
  /** The client's address, as the trusted proxies report it. */
  address: string;
  context: AppLoadContext;
}

/** What the route's component renders. */
export interface ScreenPage<Id extends PageId = PageId> {
  id: Id;
  title: string;
  /** Of the page's texts: the person's own, where the backend has texts in it. */
  language: string;
  adminContext: AdminContext;
  data: ScreenData<Id>;
}

/** How an action's outcome reaches `entry.server` and the loader that Remix runs next. */
export interface AdminAnswer {
  /** Sent unchanged, instead of a page. */
  response?: Response;
  /** Shown instead of the page at the request's address. */
  page?: ScreenPage;
  pending?: AdminContext['pending'];
}

/** A screen, and what its loader and its action get. */
export interface Entered {
  screen: Screen;
  args: ScreenArguments<SessionUser | null>;
}

/**
 * Finds the screen of an address. Shared settings are only used while nothing has changed, so a new admin path holds in
 * every process at once.
 */
export async function enter(incoming: Incoming): Promise<Entered> {
  const { app, request, address, context } = incoming;
  // As it was sent: another spelling of the path, such as a percent-encoded one, is another address.
  const { pathname, search } = new URL(request.url);
  const [, first, ...rest] = pathname.split('/');
  const settings = await readShared(app, 'settings', readSettings);
  const isBackend = first === settings.admin_path && !context.isSiteView;
  const found = isBackend ? findScreen(rest.join('/')) : null;
  if (!found) throw await redirectOrNotFound(incoming);
  // Below a splat there are the site's own addresses, whose home ends in a slash.
  if (pathname.endsWith('/') && !found.screen.pattern.endsWith('*')) {
    if (isRead(request)) throw redirect(pathname.replace(/\/+$/, '') + search, 301);
    throw await redirectOrNotFound(incoming);
  }
  const user = await readSession(app, request);
  const adminContext: AdminContext = {
    adminPath: settings.admin_path,
    siteTitle: settings.site_title,
    timeZone: settings.site_timezone,
    language: user?.language || settings.site_language,
    user: user && { id: user.id, displayName: user.displayName, role: user.role },
    screens: screens.filter((screen) => isAllowed(screen, user)).map(({ id }) => id),
    pending: context.admin?.pending,
  };
  const { metrics, renderSiteView, allowOwnFrames } = context;
  return {
    screen: found.screen,
    args: {
      app,
      request,
      params: found.params,
      user,
      adminContext,
      address,
      metrics,
      renderSiteView,
      allowOwnFrames,
    },
  };
}

/** Runs the screen's loader. @throws AppError `unauthorized`, `forbidden`. */
export async function load({ screen, args }: Entered): Promise<ScreenPage | Response> {
  const loaded =
    screen.access === 'everybody'
      ? await (await screen.module()).load(args)
      : await (await screen.module()).load(withUser(screen, args));
  if (loaded instanceof Response) return loaded;
  return { id: screen.id, ...inOwnLanguage(screen.title, args.adminContext), data: loaded };
}

/** A page's title in the language of its texts. */
export function inOwnLanguage(title: string, adminContext: AdminContext) {
  const language = supportedLanguage(adminContext.language) ?? 'en';
  return { title: wordsIn(language)(title), language, adminContext };
}

function isAllowed(screen: Screen, user: SessionUser | null): boolean {
  return screen.access === 'everybody' || (user !== null && screen.access.includes(user.role));
}

/** @throws AppError `unauthorized`, `forbidden`. */
export function withUser(screen: Screen, args: Entered['args']): ScreenArguments {
  const { user } = args;
  if (!user) throw new AppError('unauthorized', 'You have been logged out.');
  if (!isAllowed(screen, user)) throw new AppError('forbidden', 'Your role does not include this page.');
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
