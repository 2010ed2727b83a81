import { redirect } from '@remix-run/node';
import { adminUrl, ownPath } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, AdminContext, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { knownDeviceOf, rememberDevice } from '#app/auth/known-device.server.ts';
import { endSecondStep, readSecondStep } from '#app/auth/second-step.server.ts';
import { endSession, finishLogin, type SessionUser } from '#app/auth/sessions.server.ts';
import { checkSecondStep } from '#app/auth/two-factor.server.ts';

type Arguments = ScreenArguments<SessionUser | null>;

/** The second step of a login, for whoever has passed the first one. */
export async function load({ app, request, adminContext }: Arguments) {
  if (!(await readSecondStep(app, request))) return startAgain(adminContext);
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
  if (!step) return startAgain(adminContext);
  const { id: stepId, user: account } = step;
  const device = await knownDeviceOf(app, request.headers.get('Cookie'), account.id);
  return withValues(values, async () => {
    const origin = { stepId, device };
    await checkSecondStep(app, byUser(account, address), values.code ?? '', origin).catch(
      (error: unknown) => {
        if (isAppError(error))
          metrics?.countLogin(error.code === 'too_many_requests' ? 'throttled' : 'failed');
        throw error;
      },
    );
    if (user) await endSession(app, user.sessionId);
    const userAgent = request.headers.get('User-Agent') ?? '';
    const headers = new Headers({ 'Set-Cookie': await endSecondStep(app, stepId) });
    headers.append('Set-Cookie', await finishLogin(app, account.id, { userAgent, address }));
    headers.append('Set-Cookie', await rememberDevice(app, request, account.id));
    metrics?.countLogin('succeeded');
    return redirect(ownPath(values.redirectTo) ?? adminUrl(adminContext.adminPath), { headers });
  });
}

/** The step took too long, had too many wrong codes, or was ended by a change of the account. */
function startAgain({ adminPath }: AdminContext): Response {
  return redirect(`${adminUrl(adminPath, 'login')}?ended`);
}
