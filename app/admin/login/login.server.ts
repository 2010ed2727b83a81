import { redirect } from '@remix-run/node';
import { adminUrl, isAgain, loginUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { rememberDevice } from '#app/people/sessions/known-device.server.ts';
import { logIn, startSecondStep } from '#app/people/sessions/log-in.server.ts';
import { type SessionUser, endSession, finishLogin } from '#app/people/sessions/sessions.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { localPath } from '#app/platform/http/paths.ts';

const notices: Record<string, string> = {
  reset: 'Your new password is set. Log in with it.',
  ended: 'Your login has expired. Start again with your password.',
};

export async function load({ request, user, adminContext }: ScreenArguments<SessionUser | null>) {
  const query = new URL(request.url).searchParams;
  const redirectTo = localPath(query.get('redirectTo')) ?? '';
  // The editor asks for it where another account is logged in than that of its page.
  const again = isAgain(request);
  if (user && !again && !adminContext.pending)
    return redirect(redirectTo || adminUrl(adminContext.adminPath));
  const notice = Object.entries(notices).find(([name]) => query.has(name))?.[1] ?? null;
  return { redirectTo, notice, again };
}

export async function act({
  app,
  request,
  form: { values },
  adminContext,
  user,
  address,
  metrics,
}: ActionArguments<SessionUser | null>): Promise<Done> {
  const redirectTo = localPath(values.redirectTo) ?? '';
  try {
    const login = await logIn(app, values, { address, cookies: request.headers.get('Cookie') });
    const { userId } = login;
    if (login.needsCode) {
      const cookies = [await startSecondStep(app, login)];
      const code = { step: 'code', redirectTo, again: isAgain(request) } as const;
      return { location: loginUrl(adminContext.adminPath, code), cookies };
    }
    const userAgent = request.headers.get('User-Agent') ?? '';
    const cookies = [
      await finishLogin(app, userId, { userAgent, address }, login),
      await rememberDevice(app, request, userId),
    ];
    // Each login gets a new session, which prevents session fixation.
    if (user) await endSession(app, user.sessionId);
    metrics?.countLogin('succeeded');
    return { location: redirectTo || adminUrl(adminContext.adminPath), cookies };
  } catch (error) {
    if (isAppError(error)) metrics?.countLogin(error.code === 'too_many_requests' ? 'throttled' : 'failed');
    throw error;
  }
}
