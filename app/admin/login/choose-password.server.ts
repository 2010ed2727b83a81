import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments, ScreenModule } from '#app/admin/frame/screen.ts';
import { newPasswordSchema } from '#app/people/accounts/schema.ts';
import { acceptInvitation, resetPassword } from '#app/people/passwords/change.server.ts';
import { rememberDevice } from '#app/people/sessions/known-device.server.ts';
import { endSession, finishLogin, type SessionUser } from '#app/people/sessions/sessions.server.ts';
import { findToken, type LinkPurpose } from '#app/people/tokens.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';

const formSchema = newPasswordSchema.extend({ token: z.string().default('') });

/** The page behind a reset or invitation link: choose a password. */
function choosePasswordScreen(purpose: LinkPurpose) {
  return {
    async load({ app, request }: ScreenArguments<SessionUser | null>) {
      const token = new URL(request.url).searchParams.get('token') ?? '';
      const validToken = await findToken(app.db, app.clock, purpose, token);
      return { purpose, token, account: validToken && validToken.user };
    },
    async act(args: ActionArguments<SessionUser | null>): Promise<Done> {
      return finish(args, purpose, parseForm(formSchema, args.form.values));
    },
  } satisfies ScreenModule<SessionUser | null>;
}

export const invitationScreen = choosePasswordScreen('invitation');
export const resetScreen = choosePasswordScreen('reset');

export type ChoosePasswordData = Awaited<ReturnType<ReturnType<typeof choosePasswordScreen>['load']>>;

async function finish(
  { app, request, user, adminContext, address }: ActionArguments<SessionUser | null>,
  purpose: LinkPurpose,
  form: { token: string; password: string },
): Promise<Done> {
  if (purpose === 'reset') {
    // A new password does not log in: somebody who only reads the mail must not get past the second factor.
    await resetPassword(app, { ...form, address });
    return { location: `${adminUrl(adminContext.adminPath, 'login')}?reset` };
  }
  const { userId } = await acceptInvitation(app, { ...form, address });
  const userAgent = request.headers.get('User-Agent') ?? '';
  const cookies = [
    await finishLogin(app, userId, { userAgent, address }),
    await rememberDevice(app, request, userId),
  ];
  // Somebody else may have been logged in here.
  if (user) await endSession(app, user.sessionId);
  return { location: adminUrl(adminContext.adminPath), cookies };
}
