import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { emailSchema } from '#app/auth/account-schema.ts';
import { requestPasswordReset } from '#app/auth/request-password-reset.server.ts';
import type { SessionUser } from '#app/auth/sessions.server.ts';
import { parseForm } from '#app/platform/parse-form.ts';
import { z } from 'zod';

type Arguments = ScreenArguments<SessionUser | null>;

const schema = z.object({ email: emailSchema });

export async function load({ request }: Arguments) {
  return { sent: new URL(request.url).searchParams.has('sent') };
}

/** The answer is the same whether or not somebody has that address. */
export async function act({
  app,
  request,
  adminContext,
  address,
}: Arguments): Promise<ActionResult | Response> {
  const values = await readForm(request);
  return withValues(values, async () => {
    await requestPasswordReset(app, parseForm(schema, values).email, address);
    return redirect(`${adminUrl(adminContext.adminPath, 'login', 'forgot')}?sent`);
  });
}
