import type { ClaimedEffect, Outcome } from '#app/effects/claim.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { isAppError } from '#app/platform/errors.ts';
import { sendMail } from '#app/people/mail/send.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { ISSUE } from './record-issues.server.ts';
import { sendIssue } from './send-issue.server.ts';
import { CONFIRMATION, issueConfirmation } from './subscribers.server.ts';
import { newsletterTexts } from './texts.ts';

/** Carries out an effect that is a mail. */
export async function sendMailEffect(
  app: EffectApp,
  effect: ClaimedEffect,
  isOver: () => boolean,
): Promise<Outcome> {
  if (effect.event === ISSUE) return sendIssue(app, effect, isOver);
  if (effect.event === CONFIRMATION) return sendConfirmation(app, effect.subject.split(':')[1] ?? '');
  return { state: 'cancelled', reason: 'This version does not know this kind of effect.' };
}

/** Asks a person to confirm, or tells somebody who is subscribed where to change that. */
async function sendConfirmation(app: EffectApp, id: string): Promise<Outcome> {
  const [subscriber, settings] = await Promise.all([
    app.db.subscriber.findUnique({ where: { id } }),
    readSettings(app),
  ]);
  if (!subscriber || !settings.newsletter_enabled)
    return { state: 'cancelled', reason: 'This subscriber does not exist.' };
  const texts = newsletterTexts(subscriber.language || settings.site_language);
  const name = settings.newsletter_name || settings.site_title;
  const isActive = subscriber.state === 'active';
  const path = isActive
    ? `/subscription/${subscriber.token}`
    : `/subscribe/confirm/${await issueConfirmation(app, id)}`;
  const text = isActive ? texts.alreadyMail : texts.confirmMail;
  const subject = isActive ? texts.alreadySubject : texts.confirmSubject;
  try {
    await sendMail(app, {
      to: subscriber.email,
      from: settings.newsletter_from || undefined,
      replyTo: settings.newsletter_reply_to || undefined,
      subject: subject.replace('{name}', name),
      text: `${text.replace('{name}', name)}\n\n${app.env.siteUrl}${path}\n\n${texts.ignore}\n`,
    });
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { state: 'failed', error: error.said };
  }
  return { state: 'done' };
}
