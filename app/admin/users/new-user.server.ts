import { redirect } from '@remix-run/node';
import { adminUrl } from '#app/admin/admin-url.ts';
import { readForm } from '#app/admin/read-form.server.ts';
import type { ActionResult, ScreenArguments } from '#app/admin/screen.ts';
import { withValues } from '#app/admin/with-values.server.ts';
import { unknownIntent } from '#app/admin/unknown-intent.ts';
import { byUser } from '#app/auth/audit.server.ts';
import { createUser, inviteUser } from '#app/auth/create-user.server.ts';
import { roles } from '#app/auth/roles.ts';
import { newPasswordSchema, newUserSchema } from '#app/auth/user-form.ts';
import { isMailConfigured } from '#app/mail/send-mail.server.ts';
import { parseForm } from '#app/platform/parse-form.ts';

export async function load({ app }: ScreenArguments) {
  return { roles, sendsMail: await isMailConfigured(app) };
}

/** Creates an account: `invite` lets its owner choose a password, `create` sets one. */
export async function act({
  app,
  request,
  user,
  adminContext,
  address,
}: ScreenArguments): Promise<ActionResult | Response> {
  const values = await readForm(request);
  const by = byUser(user, address);
  return withValues(values, async () => {
    // A blank username is made from the name, as a slug is from a title.
    const wanted = { ...values, username: values.username?.trim() || (values.displayName ?? '') };
    switch (values.intent ?? 'invite') {
      case 'create': {
        const { password, ...fields } = parseForm(newUserSchema.extend(newPasswordSchema.shape), wanted);
        const { id } = await createUser(app, by, fields, password);
        return redirect(`${adminUrl(adminContext.adminPath, 'users', id)}?saved`);
      }
      case 'invite': {
        const { id } = await createUser(app, by, parseForm(newUserSchema, wanted), null);
        const { link, problem } = await inviteUser(app, by, id);
        if (problem === null) return redirect(`${adminUrl(adminContext.adminPath, 'users', id)}?invited`);
        return { invitation: { link, problem, userId: id } };
      }
      default:
        throw unknownIntent();
    }
  });
}
