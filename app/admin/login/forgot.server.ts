import { adminUrl } from '#app/admin/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/screen.ts';
import { emailSchema } from '#app/auth/account-schema.ts';
import { requestPasswordReset } from '#app/auth/request-password-reset.server.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import { parseForm } from '#app/platform/parse-form.ts';
import * as z from 'zod';

const schema = z.object({ email: emailSchema });

export async function load({ request }: ScreenArguments<SessionUser | null>) {
  return { sent: new URL(request.url).searchParams.has('sent') };
}

/** The answer is the same whether or not there is an account with that address. */
export async function act({
  app,
  form,
  adminContext,
  address,
}: ActionArguments<SessionUser | null>): Promise<Done> {
  await requestPasswordReset(app, parseForm(schema, form.values).email, address);
  return { location: `${adminUrl(adminContext.adminPath, 'login', 'forgot')}?sent` };
}
