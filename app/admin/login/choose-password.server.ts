import { redirect } from '@remix-run/node';
import { z } from 'zod';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, OpenScreenModule, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { acceptInvitation, resetPassword } from '#app/auth/choose-password.server.ts';
import { finishLogin, type SessionUser } from '#app/auth/sessions.server.ts';
import { findToken, type LinkPurpose } from '#app/auth/tokens.server.ts';
import { newPasswordSchema } from '#app/auth/user-form.ts';
import { parseForm } from '#app/platform/parse-form.ts';

type Arguments = ScreenArguments<SessionUser | null>;

const formSchema = newPasswordSchema.extend({ token: z.string().default('') });

/** The page behind a reset or invitation link: choose a password. */
export function choosePasswordScreen(purpose: LinkPurpose) {
  return {
    async load({ app, request }: Arguments) {
      const token = new URL(request.url).searchParams.get('token') ?? '';
      const found = await findToken(app.db, app.clock, purpose, token);
      return { purpose, token, account: found && found.user };
    },
    async act(args: Arguments): Promise<ActionResult | Response> {
      const values = await readForm(args.request);
      return withValues(values, async () => finish(args, purpose, parseForm(formSchema, values)));
    },
  } satisfies OpenScreenModule;
}

export type ChoosePasswordData = Awaited<ReturnType<ReturnType<typeof choosePasswordScreen>['load']>>;

async function finish(
  { app, request, adminContext, address }: Arguments,
  purpose: LinkPurpose,
  form: { token: string; password: string },
): Promise<Response> {
  if (purpose === 'reset') {
    // Not logged in by it: whoever can read the mail still needs the second factor.
    await resetPassword(app, { ...form, address });
    return redirect(`${adminUrl(adminContext.adminPath, 'login')}?reset`);
  }
  const { userId } = await acceptInvitation(app, { ...form, address });
  const userAgent = request.headers.get('User-Agent') ?? '';
  const cookie = await finishLogin(app, userId, { userAgent, address });
  return redirect(adminUrl(adminContext.adminPath), { headers: { 'Set-Cookie': cookie } });
}
