import * as z from 'zod';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, Done, ScreenArguments } from '#app/admin/frame/screen.ts';
import { emailSchema } from '#app/people/accounts/schema.ts';
import { requestPasswordReset } from '#app/people/passwords/change.server.ts';
import type { SessionUser } from '#app/people/sessions/sessions.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';

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
