import { data, redirect } from '@remix-run/node';
import type { AppLoadContext } from '@remix-run/node';
import type { App } from '#app/app.ts';
import { readSession, type SessionUser } from '#app/auth/sessions.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { asUnavailable, RETRY_AFTER_SECONDS } from '#app/platform/failure.server.ts';
import { apiError } from '#app/platform/responses.ts';
import { findRedirect } from '#app/posts/queries.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { notFound } from '#app/site/not-found.server.ts';
import { adminUrl } from './admin-url.ts';
import { wantsJson } from './json-answer.server.ts';
import { carryAlong, keepSubmission, nextStep, readPendingSubmission } from './pending-submission.server.ts';
import type { PendingSubmission } from './pending-submission.ts';
import type { ActionResult, AdminContext } from './screen.ts';
import { findScreen, screens, type Screen } from './screens.server.ts';

interface SplatArguments {
  app: App;
  request: Request;
  /** The client's address as the trusted proxies tell it. */
  address: string;
  context: AppLoadContext;
  /** What the splat matched, decoded. */
  splat: string;
}

/** What the splat's component renders. */
export interface ScreenPage {
  id: string;
  title: string;
  adminContext: AdminContext;
  data: object;
}

// Backend pages are for one person and one moment.
const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** GET: the screen at the current admin path, a stored redirect, else the plain 404. */
export async function loadScreen(splat: SplatArguments) {
  // After an action Remix loads the page that shows its result; some results bring their own.
  if (splat.context.answer) return null;
  if (splat.context.page) return data(splat.context.page, { headers });
  const { app, screen, args } = await enter(splat);
  const url = new URL(splat.request.url);
  if (!isAllowed(screen, args.user)) {
    if (args.user) throw forbidden();
    if (wantsJson(splat.request)) return answer(splat.context, apiError(loggedOut()));
    const login = `${adminUrl(args.adminContext.adminPath, 'login')}?redirectTo=${encodeURIComponent(url.pathname + url.search)}`;
    return redirect(login, { headers });
  }
  try {
    const loaded = await load(screen, args);
    if (loaded instanceof Response) return answer(splat.context, loaded);
    return data(loaded, { headers });
  } catch (error) {
    if (wantsJson(splat.request)) return answer(splat.context, apiError(error));
    throw asResponse(app, error);
  }
}

/** POST: the screen's action; expected failures become the same page with their status and errors. */
export async function actOnScreen(splat: SplatArguments) {
  const { app, screen, args } = await enter(splat);
  const { request, context } = splat;
  if (!isAllowed(screen, args.user)) {
    if (args.user) throw forbidden();
    if (wantsJson(request)) return answer(context, apiError(loggedOut()));
    return showLogin(splat, args);
  }
  const module = await screen.module();
  if (!module.act || request.method !== 'POST')
    throw data(null, { status: 405, headers: { ...headers, Allow: 'GET, HEAD' } });
  const held = screen.access === 'everybody' ? await readPendingSubmission(request, args.adminContext) : null;
  carryAlong(context, held);
  try {
    const result = await module.act(args).catch(unavailable);
    if (!(result instanceof Response) && (result.status ?? 200) >= 400 && wantsJson(request))
      return answer(context, resultInJson(result));
    if (!(result instanceof Response) && result.page)
      context.page = {
        id: screen.id,
        title: screen.title,
        adminContext: args.adminContext,
        data: result.page,
      };
    if (!(result instanceof Response))
      return data(result, { status: result.status ?? 200, headers: headersOf(result) });
    return held ? await goOnWith(held, splat, args, result) : answer(context, result);
  } catch (error) {
    if (wantsJson(request)) return answer(context, apiError(error));
    if (isAppError(error) && error.code !== 'not_found') {
      const result: ActionResult = { status: error.status, message: error.message, errors: error.fields };
      const waiting = new Headers(headers);
      if (error.retryAfter) waiting.set('Retry-After', String(error.retryAfter));
      return data(result, { status: error.status, headers: waiting });
    }
    throw asResponse(app, error);
  }
}

async function enter({ app, request, address, context, splat }: SplatArguments) {
  const [first, ...rest] = splat.split('/');
  // Read afresh at every request: after a change the very next request, in every process, obeys.
  const settings = await readSettings(app);
  if (first !== settings.admin_path) throw await redirectOrNotFound(app, request, context);
  const found = findScreen(rest.join('/'));
  if (!found || splat.endsWith('/')) throw await redirectOrNotFound(app, request, context);
  const user = await readSession(app, request);
  const adminContext: AdminContext = {
    adminPath: settings.admin_path,
    siteTitle: settings.site_title,
    timeZone: settings.site_timezone,
    language: settings.site_language,
    user: user && { id: user.id, displayName: user.displayName, role: user.role },
    screens: screens.filter((screen) => isAllowed(screen, user)).map(({ id }) => id),
    held: context.held,
  };
  const { metrics } = context;
  const args = { app, request, params: found.params, user, adminContext, address, metrics };
  return { app, screen: found.screen, args };
}

type Arguments = Awaited<ReturnType<typeof enter>>['args'];

async function load(screen: Screen, args: Arguments): Promise<ScreenPage | Response> {
  const module = await screen.module();
  const loaded = await module.load(args);
  if (loaded instanceof Response) return loaded;
  return { id: screen.id, title: screen.title, adminContext: args.adminContext, data: loaded };
}

/** The session ended in mid-edit: the login page, at the form's own address, with the form in it. */
async function showLogin({ context, request }: SplatArguments, args: Arguments) {
  const held = await keepSubmission(request);
  carryAlong(context, held);
  const login = adminUrl(args.adminContext.adminPath, 'login');
  const back = new URL(request.url).pathname;
  const url = new URL(`${login}?redirectTo=${encodeURIComponent(back)}`, request.url);
  const { screen } = findScreen('login')!;
  const page = await load(screen, {
    ...args,
    request: new Request(url),
    adminContext: { ...args.adminContext, held: context.held },
  });
  if (page instanceof Response) return page;
  context.page = page;
  return data(null, { status: 401, headers });
}

/** A login that carries a form: its next step, or, at its end, the form to send again. */
async function goOnWith(held: PendingSubmission, splat: SplatArguments, args: Arguments, step: Response) {
  const adminContext = { ...args.adminContext, held: splat.context.held };
  const login = adminUrl(adminContext.adminPath, 'login');
  const target = step.headers.get('Location') ?? '';
  const path = new URL(target, splat.request.url).pathname;
  const cookies = new Headers([...Object.entries(headers), ...setCookies(step)]);
  const next = path.startsWith(`${login}/`) ? findScreen(path.slice(login.length - 'login'.length)) : null;
  if (next) {
    const request = nextStep(splat.request, step);
    const page = await load(next.screen, { ...args, params: next.params, request, adminContext });
    if (page instanceof Response) return step;
    splat.context.page = page;
  } else {
    splat.context.page = {
      id: 'resume',
      title: 'Welcome back',
      adminContext: { ...adminContext, user: null },
      data: held,
    };
  }
  return data(null, { headers: cookies });
}

function setCookies(response: Response): [string, string][] {
  return response.headers.getSetCookie().map((cookie) => ['Set-Cookie', cookie]);
}

/** Redirects go through Remix; anything else a screen answers by itself is sent as it is. */
function answer(context: AppLoadContext, response: Response): Response | null {
  if (response.status >= 300 && response.status < 400) return response;
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  context.answer = response;
  return null;
}

async function redirectOrNotFound(app: App, request: Request, context: AppLoadContext): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    const target = await findRedirect(app, new URL(request.url).pathname);
    if (target) return redirect(target, 301);
  }
  return notFound(app, context);
}

function isAllowed(screen: Screen, user: SessionUser | null): boolean {
  return screen.access === 'everybody' || (user !== null && screen.access.includes(user.role));
}

function resultInJson({ status = 200, message = '', current = null }: ActionResult): Response {
  if (status === 409) return Response.json({ error: { code: 'conflict', message }, current }, { status });
  return apiError(new AppError('invalid_input', message));
}

function loggedOut(): AppError {
  return new AppError('unauthorized', 'You have been logged out.');
}

function forbidden() {
  return data(null, { status: 403, headers });
}

/** An outage that a screen answered itself, with what was typed, says when to try again too. */
function headersOf(result: ActionResult): Record<string, string> {
  return result.status === 503 ? { ...headers, 'Retry-After': String(RETRY_AFTER_SECONDS) } : headers;
}

/** An outage in mid-form: the same page says so, where it can still be read. */
function unavailable(error: unknown): never {
  throw asUnavailable(error);
}

function asResponse(app: Pick<App, 'log'>, error: unknown): unknown {
  if (!isAppError(error)) return error;
  if (error.status >= 500) app.log.error({ err: error }, 'A screen failed');
  return data({ message: error.message }, { status: error.status, headers });
}
