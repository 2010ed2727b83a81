import { redirect } from '@remix-run/node';
import * as z from 'zod';
import { adminUrl, isAgain, loginUrl } from '#app/admin/frame/admin-url.ts';
import type {
  ActionArguments,
  Done,
  ScreenArguments,
  ScreenModule,
  AdminContext,
} from '#app/admin/frame/screen.ts';
import { emailSchema, newPasswordSchema } from '#app/people/accounts/schema.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import {
  requestPasswordReset,
  acceptInvitation,
  resetPassword,
} from '#app/people/passwords/change.server.ts';
import { checkSecondStep } from '#app/people/second-factor.server.ts';
import { rememberDevice, knownDeviceOf } from '#app/people/sessions/known-device.server.ts';
import { logIn, startSecondStep, endSecondStep, readSecondStep } from '#app/people/sessions/log-in.server.ts';
import { type SessionUser, endSession, finishLogin } from '#app/people/sessions/sessions.server.ts';
import { findToken, type LinkPurpose } from '#app/people/tokens.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { localPath } from '#app/platform/http/paths.ts';

const notices: Record<string, string> = {
  reset: 'Your new password is set. Log in with it.',
  ended: 'Your login has expired. Start again with your password.',
};

export const loginScreen = {
  async load({ request, user, adminContext }: ScreenArguments<SessionUser | null>) {
    const query = new URL(request.url).searchParams;
    const redirectTo = localPath(query.get('redirectTo')) ?? '';
    // The editor asks for it where another account is logged in than that of its page.
    const again = isAgain(request);
    if (user && !again && !adminContext.pending)
      return redirect(redirectTo || adminUrl(adminContext.adminPath));
    const notice = Object.entries(notices).find(([name]) => query.has(name))?.[1] ?? null;
    return { redirectTo, notice, again };
  },

  async act({
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
  },
} satisfies ScreenModule<SessionUser | null>;

export const codeScreen = {
  async load({ app, request, adminContext }: ScreenArguments<SessionUser | null>) {
    if (!(await readSecondStep(app, request))) return redirect(loginAgain(request, adminContext));
    const query = new URL(request.url).searchParams;
    return { redirectTo: localPath(query.get('redirectTo')) ?? '', again: isAgain(request) };
  },

  async act({
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
  },
} satisfies ScreenModule<SessionUser | null>;

/**
 * The address of the login page, for a step that has expired, had too many wrong codes, or was ended by a change.
 * Beside another account it shows the login all the same.
 */
function loginAgain(request: Request, { adminPath }: AdminContext): string {
  return loginUrl(adminPath, { hasEnded: true, again: isAgain(request) });
}

const forgotSchema = z.object({ email: emailSchema });

export const forgotScreen = {
  async load({ request }: ScreenArguments<SessionUser | null>) {
    return { sent: new URL(request.url).searchParams.has('sent') };
  },

  /** The answer is the same whether or not there is an account with that address. */
  async act({ app, form, adminContext, address }: ActionArguments<SessionUser | null>): Promise<Done> {
    await requestPasswordReset(app, parseForm(forgotSchema, form.values).email, address);
    return { location: `${adminUrl(adminContext.adminPath, 'login', 'forgot')}?sent` };
  },
} satisfies ScreenModule<SessionUser | null>;

const choosePasswordSchema = newPasswordSchema.extend({ token: z.string().default('') });

/** The page behind a reset or invitation link: choose a password. */
function choosePasswordScreen(purpose: LinkPurpose) {
  return {
    async load({ app, request }: ScreenArguments<SessionUser | null>) {
      const token = new URL(request.url).searchParams.get('token') ?? '';
      const validToken = await findToken(app.db, app.clock, purpose, token);
      return { purpose, token, account: validToken && validToken.user };
    },
    async act(args: ActionArguments<SessionUser | null>): Promise<Done> {
      return finish(args, purpose, parseForm(choosePasswordSchema, args.form.values));
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

export const logoutScreen = {
  async load({ adminContext }: ScreenArguments<SessionUser | null>) {
    return redirect(adminUrl(adminContext.adminPath));
  },

  async act({ app, user, adminContext }: ActionArguments<SessionUser | null>): Promise<Done> {
    const cookies = user ? [await endSession(app, user.sessionId)] : [];
    return { location: adminUrl(adminContext.adminPath, 'login'), cookies };
  },
} satisfies ScreenModule<SessionUser | null>;
