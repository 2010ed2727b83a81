import { redirect } from '@remix-run/node';
import { adminUrl, isAgain, loginUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, AdminContext, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { checkSecondStep } from '#app/people/second-factor.server.ts';
import { knownDeviceOf, rememberDevice } from '#app/people/sessions/known-device.server.ts';
import { endSecondStep, readSecondStep } from '#app/people/sessions/log-in.server.ts';
import { endSession, finishLogin, type SessionUser } from '#app/people/sessions/sessions.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { localPath } from '#app/platform/http/paths.ts';

export async function load({ app, request, adminContext }: ScreenArguments<SessionUser | null>) {
  if (!(await readSecondStep(app, request))) return redirect(loginAgain(request, adminContext));
  const query = new URL(request.url).searchParams;
  return { redirectTo: localPath(query.get('redirectTo')) ?? '', again: isAgain(request) };
}

export async function act({
  app,
  request,
  user,
  adminContext,
  address,
  metrics,
  form: { values },
}: ActionArguments<SessionUser | null>): Promise<Done> {
  const step = await readSecondStep(app, request);
  if (!step) return { location: loginAgain(request, adminContext) };
  const { id: stepId, user: account } = step;
  const device = await knownDeviceOf(app, request.headers.get('Cookie'), account.id);
  try {
    await checkSecondStep(app, byUser(account, address), values.code ?? '', { stepId, device });
  } catch (error) {
    if (isAppError(error)) metrics?.countLogin(error.code === 'too_many_requests' ? 'throttled' : 'failed');
    throw error;
  }
  const userAgent = request.headers.get('User-Agent') ?? '';
  const cookies = [
    await finishLogin(app, account.id, { userAgent, address }, { stepId }),
    await endSecondStep(app, stepId),
    await rememberDevice(app, request, account.id),
  ];
  if (user) await endSession(app, user.sessionId);
  metrics?.countLogin('succeeded');
  return { location: localPath(values.redirectTo) ?? adminUrl(adminContext.adminPath), cookies };
}

/**
 * The address of the login page, for a step that has expired, had too many wrong codes, or was ended by a change.
 * Beside another account it shows the login all the same.
 */
function loginAgain(request: Request, { adminPath }: AdminContext): string {
  return loginUrl(adminPath, { hasEnded: true, again: isAgain(request) });
}
