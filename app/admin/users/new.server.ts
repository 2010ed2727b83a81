import { adminUrl } from '#app/admin/frame/admin-url.ts';
import {
  unknownIntent,
  type ActionArguments,
  type ActionResult,
  type Done,
  type ScreenArguments,
} from '#app/admin/frame/screen.ts';
import { createUser, inviteUser } from '#app/people/accounts/users.server.ts';
import { newPasswordSchema, newUserSchema } from '#app/people/accounts/schema.ts';
import { byUser } from '#app/people/audit/audit.server.ts';
import { isMailConfigured } from '#app/people/mail.server.ts';
import { parseForm } from '#app/platform/http/parse-form.ts';
import { type Message } from '#app/platform/message.ts';

export async function load({ app }: ScreenArguments) {
  return { sendsMail: await isMailConfigured(app) };
}

/** An invitation whose message could not be sent. */
export interface UnsentInvitation {
  link: string;
  problem: Message;
  userId: string;
}

/** Creates an account. `invite` lets its owner choose a password, `create` sets one. By default the fields decide. */
export async function act({
  app,
  form: { values },
  user,
  adminContext,
  address,
}: ActionArguments): Promise<ActionResult<{ invitation: UnsentInvitation }> | Done> {
  const by = byUser(user, address);
  const page = (id: string) => adminUrl(adminContext.adminPath, 'users', id);
  // A blank username becomes the slug of the display name.
  const input = { ...values, username: values.username?.trim() || (values.displayName ?? '') };
  switch (values.intent ?? (values.password ? 'create' : 'invite')) {
    case 'create': {
      const { password, ...fields } = parseForm(newUserSchema.extend(newPasswordSchema.shape), input);
      const { id } = await createUser(app, by, fields, password);
      return { location: `${page(id)}?saved`, id };
    }
    case 'invite': {
      const { id } = await createUser(app, by, parseForm(newUserSchema, input), null);
      const { link, problem } = await inviteUser(app, by, id);
      if (problem === null) return { location: `${page(id)}?invited`, id };
      return { invitation: { link, problem, userId: id } };
    }
    default:
      throw unknownIntent();
  }
}
