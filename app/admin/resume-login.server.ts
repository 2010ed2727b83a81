import { data, redirect } from '@remix-run/node';
import { readSession, type SessionUser } from '#app/people/sessions/sessions.server.ts';
import {
  inOwnLanguage,
  isAllowed,
  load,
  type Entered,
  type Incoming,
  type ScreenPage,
} from './enter-screen.server.ts';
import { adminUrl } from './frame/admin-url.ts';
import type { AdminContext, Done } from './frame/screen.ts';
import { loginUrl } from './login/login-url.ts';
import { nextStep, unpackSubmission } from './pending-submission.server.ts';
import { findScreen } from './find-screen.server.ts';

/** Backend pages must not be cached. */
export const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/**
 * Shows the login page at the address of a form whose session has ended, or whose account is not the one that is logged
 * in. The page contains the submitted form.
 */
export async function showLogin(
  { context, request }: Incoming,
  { args }: Pick<Entered, 'args'>,
  pending: AdminContext['pending'],
  status = 401,
) {
  const address = loginUrl(args.adminContext.adminPath, {
    redirectTo: new URL(request.url).pathname,
    // A wrong password shows the login again, though another account is logged in.
    again: args.user !== null,
  });
  const page = await load({
    screen: findScreen('login')!.screen,
    args: {
      ...args,
      request: new Request(new URL(address, request.url)),
      adminContext: { ...args.adminContext, pending },
    },
  });
  if (page instanceof Response) return page;
  context.admin = { page, pending };
  return data(null, { status, headers });
}

/** Continues a login with a pending submission: shows the next step or, after the last step, the form to send again. */
export async function continueLogin(
  { context, request }: Incoming,
  { args }: Entered,
  step: Done,
  packed: string,
) {
  const adminContext = { ...args.adminContext, pending: { packed } };
  const backend = adminUrl(adminContext.adminPath);
  const { pathname } = new URL(step.location, request.url);
  const isLogin = pathname === `${backend}/login` || pathname.startsWith(`${backend}/login/`);
  const next = isLogin ? findScreen(pathname.slice(backend.length + 1)) : null;
  const page = next
    ? await load({
        screen: next.screen,
        args: { ...args, params: next.params, request: nextStep(request, step), adminContext },
      })
    : await resumePage(args, packed, await readSession(args.app, nextStep(request, step)));
  if (!page || page instanceof Response) return redirect(step.location, { headers: withCookies(step) });
  context.admin = { page };
  return data(null, { headers: withCookies(step) });
}

async function resumePage(
  { app, adminContext }: Entered['args'],
  packed: string,
  user: SessionUser | null,
): Promise<ScreenPage | null> {
  const submission = await unpackSubmission(app, packed, adminContext);
  if (!submission) return null;
  const dashboard = adminUrl(adminContext.adminPath);
  const { pathname } = new URL(submission.action, app.env.siteUrl);
  const screen = findScreen(pathname.slice(dashboard.length + 1))?.screen;
  // The account that has logged in may be another one, whose role does not include the form's page.
  const next = screen && isAllowed(screen, user) ? submission.action : dashboard;
  return {
    id: 'resume',
    ...inOwnLanguage('Welcome back', { ...adminContext, user: null }),
    data: { ...submission, next },
  };
}

/** The headers of a backend page, with the cookies that an action sets. */
export function withCookies({ cookies = [] }: Done): Headers {
  const all = new Headers(headers);
  for (const cookie of cookies) all.append('Set-Cookie', cookie);
  return all;
}
