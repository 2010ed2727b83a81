import { redirect } from '@remix-run/node';
import { adminUrl, ownPath } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { rememberDevice } from '#app/auth/known-device.server.ts';
import { endSecondStep, readSecondStep } from '#app/auth/second-step.server.ts';
import { endSession, finishLogin, type SessionUser } from '#app/auth/sessions.server.ts';
import { checkSecondStep } from '#app/auth/two-factor.server.ts';

type Arguments = ScreenArguments<SessionUser | null>;

/** The second step: who comes here without the first one begins there. */
export async function load({ app, request, adminContext }: Arguments) {
  if (!(await readSecondStep(app, request))) return redirect(adminUrl(adminContext.adminPath, 'login'));
  return { redirectTo: ownPath(new URL(request.url).searchParams.get('redirectTo')) ?? '' };
}

export async function act({
  app,
  request,
  user,
  adminContext,
  address,
  metrics,
}: Arguments): Promise<ActionResult | Response> {
  const values = await readForm(request);
  const step = await readSecondStep(app, request);
  const account = step && (await app.db.user.findUnique({ where: { id: step.userId } }));
  if (!account) return redirect(adminUrl(adminContext.adminPath, 'login'));
  return withValues(values, async () => {
    await checkSecondStep(app, byUser(account, address), values.code ?? '').catch((error: unknown) => {
      if (isAppError(error)) metrics?.countLogin(error.code === 'too_many_requests' ? 'throttled' : 'failed');
      throw error;
    });
    if (user) await endSession(app, user.sessionId);
    const userAgent = request.headers.get('User-Agent') ?? '';
    const headers = new Headers({ 'Set-Cookie': await endSecondStep(app) });
    headers.append('Set-Cookie', await finishLogin(app, account.id, { userAgent, address }));
    headers.append('Set-Cookie', await rememberDevice(app, request, account.id));
    metrics?.countLogin('succeeded');
    return redirect(ownPath(values.redirectTo) ?? adminUrl(adminContext.adminPath), { headers });
  });
}
