import { redirect } from '@remix-run/node';
import { logIn } from '#app/auth/log-in.server.ts';
import { rememberDevice } from '#app/auth/known-device.server.ts';
import { startSecondStep } from '#app/auth/second-step.server.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import { endSession, finishLogin } from '#app/auth/sessions.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { adminUrl, ownPath } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';

type Arguments = ScreenArguments<SessionUser | null>;

const notices: Record<string, string> = {
  reset: 'Your new password is set. Log in with it.',
  ended: 'This login has ended. Start again with your password.',
};

export async function load({ request, user, adminContext }: Arguments) {
  const query = new URL(request.url).searchParams;
  const redirectTo = ownPath(query.get('redirectTo')) ?? '';
  if (user) return redirect(redirectTo || adminUrl(adminContext.adminPath));
  const notice = Object.entries(notices).find(([name]) => query.has(name))?.[1] ?? null;
  return { redirectTo, notice };
}

export async function act({
  app,
  request,
  adminContext,
  user,
  address,
  metrics,
}: Arguments): Promise<ActionResult | Response> {
  // remix-auth's strategy reads the body itself, so the fields to show again come from a copy.
  const values = await readForm(request.clone());
  const shown = { email: values.email ?? '', redirectTo: ownPath(values.redirectTo) ?? '' };
  try {
    const { userId, needsCode } = await logIn(app, request, address);
    if (needsCode) {
      const code = `${adminUrl(adminContext.adminPath, 'login', 'code')}?${new URLSearchParams({ redirectTo: shown.redirectTo })}`;
      return redirect(code, { headers: { 'Set-Cookie': await startSecondStep(app, userId) } });
    }
    // A new session for every login: an id that somebody planted before is worth nothing.
    if (user) await endSession(app, user.sessionId);
    const userAgent = request.headers.get('User-Agent') ?? '';
    const headers = new Headers({ 'Set-Cookie': await finishLogin(app, userId, { userAgent, address }) });
    headers.append('Set-Cookie', await rememberDevice(app, request, userId));
    metrics?.countLogin('succeeded');
    return redirect(shown.redirectTo || adminUrl(adminContext.adminPath), { headers });
  } catch (error) {
    if (isAppError(error)) metrics?.countLogin(error.code === 'too_many_requests' ? 'throttled' : 'failed');
    if (isAppError(error) && error.code === 'invalid_input')
      return { status: 400, message: error.message, errors: { password: [error.message] }, values: shown };
    throw error;
  }
}
