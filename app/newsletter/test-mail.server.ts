import type { EffectApp } from '#app/effects/effect-app.ts';
import { sendMail } from '#app/people/mail/send.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { previewMail } from './issue-mail.server.ts';
import type { MailPost } from './mail-post.server.ts';

/** Sends a post as its subscribers would get it to one address. Its links lead to no subscription. */
export async function sendTestMail(
  app: EffectApp,
  post: MailPost,
  { to, subject, preview }: { to: string; subject: string; preview: string },
): Promise<void> {
  const settings = await readSettings(app);
  const mail = previewMail(app.env.siteUrl, settings, post, { subject, preview });
  await sendMail(app, {
    ...mail,
    to,
    from: settings.newsletter_from || undefined,
    replyTo: settings.newsletter_reply_to || undefined,
  });
}
