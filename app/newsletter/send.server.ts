import type { EffectApp } from '#app/effects/effect-app.ts';
import { type ClaimedEffect, type Outcome, renewClaim } from '#app/effects/outbox.server.ts';
import { sendMail } from '#app/people/mail.server.ts';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { prepareIssue, type PreparedIssue } from './issue-mail.server.ts';
import { ISSUE, cancelIssue, pauseIssue, TRIES_MAX } from './issues.server.ts';
import { reserveMails } from './limits.server.ts';
import { refusalOf } from './refusal.ts';
import { SmtpFailure, SmtpSession } from './smtp.server.ts';
import { unsentStates } from './states.ts';
import { CONFIRMATION, issueConfirmation, suspend } from './subscribers.server.ts';
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

const MINUTE_MS = 60_000;
/** A process sends for so long, then writes what is left into the outbox. */
const SLICE_MS = 25_000;
const RENEW_MS = 15_000;
/** Shorter than a claim. */
const CLAIM_USED_MS = 50_000;
const BATCH = 50;
/** An issue that begins later than this waits for an editor. */
const LATE_MS = 6 * 60 * MINUTE_MS;
/** Refusals in a row that are about us: more would only harm the sender's name. */
const REFUSALS_MAX = 20;
/** Waits before the next tries of a mail, and of a server that is down. */
const waits = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS);

type Issue = Prisma.NewsletterIssueGetPayload<object>;
type Recipient = Prisma.NewsletterRecipientGetPayload<object>;

/** Sends what is due of an issue, or the part of it that fits into the claim. */
async function sendIssue(app: EffectApp, effect: ClaimedEffect, isOver: () => boolean): Promise<Outcome> {
  const { issue: id = '' } = parseJson(effect.details) as { issue?: string };
  const issue = await app.db.newsletterIssue.findUnique({ where: { id } });
  if (!issue) return { state: 'cancelled', reason: 'This issue does not exist.' };
  const stopped = await reasonToStop(app, issue);
  if (stopped) return stopped;
  await app.db.newsletterIssue.updateMany({ where: { id, state: 'waiting' }, data: { state: 'sending' } });
  // What a killed process has left: the claim is ours alone.
  await app.db.newsletterRecipient.updateMany({
    where: { issueId: id, state: 'sending' },
    data: { state: 'waiting' },
  });
  const prepared = await prepareIssue(app, issue);
  if (!prepared)
    return { state: 'paused', reason: 'Email is not set up: the SMTP host and the sender are missing.' };
  // A process that stood still for longer than its claim must not send what another one sends now.
  let renewedAt = performance.now();
  const isOurs = () => performance.now() - renewedAt < CLAIM_USED_MS;
  const renew = async () => {
    const startedAt = performance.now();
    if (isOurs() && (await renewClaim(app, effect))) renewedAt = startedAt;
  };
  const renewing = setInterval(() => void renew().catch(() => {}), RENEW_MS);
  const sender = new Sender(app, issue, prepared, () => isOver() || !isOurs());
  try {
    return await sender.run();
  } finally {
    clearInterval(renewing);
    await sender.end(isOurs());
  }
}

/** The outcome for an issue of which nothing may be sent now. */
async function reasonToStop(app: EffectApp, { id, postId, state, dueAt }: Issue): Promise<Outcome | null> {
  if (state === 'paused' || state === 'held') return { state: 'paused', reason: 'The issue is paused.' };
  if (state !== 'waiting' && state !== 'sending') return { state: 'done' };
  const post = await app.db.post.findFirst({ where: { id: postId, ...isPublic }, select: { id: true } });
  if (!post) {
    await cancelIssue(app, id);
    return { state: 'cancelled', reason: 'The post is no longer public.' };
  }
  const { newsletter_enabled } = await readSettings(app);
  if (!newsletter_enabled) {
    await pauseIssue(app, id, 'The newsletter is switched off.');
    return { state: 'paused', reason: 'The newsletter is switched off.' };
  }
  if (state === 'waiting' && app.clock.now().getTime() - dueAt.getTime() > LATE_MS) {
    const reason = 'This issue is more than 6 hours late.';
    await app.db.newsletterIssue.updateMany({
      where: { id, state: 'waiting' },
      data: { state: 'held', reason },
    });
    return { state: 'paused', reason };
  }
  return null;
}

class Sender {
  private session: SmtpSession | null = null;
  private allowance = 0;
  private refusals: number;
  private faults: number;
  private readonly startedAt = performance.now();

  constructor(
    private readonly app: EffectApp,
    private readonly issue: Issue,
    private readonly prepared: PreparedIssue,
    private readonly isOver: () => boolean,
  ) {
    this.refusals = issue.refusals;
    this.faults = issue.faults;
  }

  async run(): Promise<Outcome> {
    const { app, issue } = this;
    for (;;) {
      if (this.isOver() || performance.now() - this.startedAt > SLICE_MS) return this.again(app.clock.now());
      const current = await app.db.newsletterIssue.findUniqueOrThrow({ where: { id: issue.id } });
      const stopped = await reasonToStop(app, current);
      if (stopped) return stopped;
      if (this.allowance === 0) {
        const next = await this.nextDueAt();
        if (next === null) return this.finish();
        if (next > app.clock.now()) return this.again(next);
        const reserved = await reserveMails(app, this.prepared.perMinute);
        if ('at' in reserved) return this.again(reserved.at);
        this.allowance = reserved.mails;
      }
      const batch = await this.claim(Math.min(BATCH, this.allowance));
      if (batch.length === 0) {
        this.allowance = 0;
        continue;
      }
      for (const recipient of batch) {
        const outcome = await this.sendTo(recipient);
        if (outcome) return outcome;
      }
    }
  }

  /** Gives back what was claimed and not tried, and closes the connection. */
  async end(isOurs: boolean): Promise<void> {
    this.session?.close();
    if (!isOurs) return;
    await this.app.db.newsletterRecipient.updateMany({
      where: { issueId: this.issue.id, state: 'sending' },
      data: { state: 'waiting' },
    });
  }

  private again(at: Date): Outcome {
    return { state: 'again', at };
  }

  private async nextDueAt(): Promise<Date | null> {
    const next = await this.app.db.newsletterRecipient.findFirst({
      where: { issueId: this.issue.id, state: 'waiting' },
      orderBy: { dueAt: 'asc' },
      select: { dueAt: true },
    });
    return next?.dueAt ?? null;
  }

  /** Marks mails as being sent, before the server sees them. */
  private async claim(take: number): Promise<Recipient[]> {
    const { db, clock } = this.app;
    const where = { issueId: this.issue.id, state: 'waiting', dueAt: { lte: clock.now() } };
    const due = await db.newsletterRecipient.findMany({ where, orderBy: { dueAt: 'asc' }, take });
    if (due.length > 0)
      await db.newsletterRecipient.updateMany({
        where: { ...where, subscriberId: { in: due.map(({ subscriberId }) => subscriberId) } },
        data: { state: 'sending' },
      });
    return due;
  }

  /** @returns the outcome of the whole effect, if nothing more can be sent now */
  private async sendTo(recipient: Recipient): Promise<Outcome | null> {
    if (this.isOver()) return this.again(this.app.clock.now());
    const { db } = this.app;
    const key = { issueId: recipient.issueId, subscriberId: recipient.subscriberId };
    const [subscriber, row] = await Promise.all([
      db.subscriber.findUnique({ where: { id: recipient.subscriberId } }),
      db.newsletterRecipient.findUnique({ where: { issueId_subscriberId: key } }),
    ]);
    if (row?.state !== 'sending') return null;
    if (subscriber?.state !== 'active' || subscriber.frequency === 'none') {
      await this.write(recipient, { state: 'cancelled' });
      return null;
    }
    this.allowance = Math.max(0, this.allowance - 1);
    try {
      const session = await this.connected();
      const { envelopeFrom, message } = await this.prepared.mailFor(subscriber);
      await session.send(envelopeFrom, subscriber.email, message);
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error;
      return this.afterFailure(recipient, error);
    }
    await this.write(recipient, { state: 'sent', sentAt: this.app.clock.now(), reason: '' });
    if (this.refusals > 0 || this.faults > 0) {
      this.refusals = this.faults = 0;
      await this.writeIssue({ refusals: 0, faults: 0 });
    }
    return null;
  }

  private async connected(): Promise<SmtpSession> {
    if (this.session?.isOpen) return this.session;
    this.session = await SmtpSession.open(this.prepared.server);
    return this.session;
  }

  private async afterFailure(recipient: Recipient, failure: SmtpFailure): Promise<Outcome | null> {
    const { step, code, words } = failure;
    const wasUsed = (this.session?.accepted ?? 0) > 0;
    const isPermanent = code >= 500;
    if (isPermanent && (step === 'login' || step === 'sender')) return this.pause(recipient, words);
    if (step === 'recipient' || step === 'data') {
      await this.session?.reset();
      return isPermanent ? this.afterRefusal(recipient, failure) : this.retryLater(recipient, words);
    }
    this.session?.close();
    this.session = null;
    // Many servers close a connection after some mails; that is no fault, and says nothing of this mail.
    if (wasUsed && step !== 'connection') {
      await this.write(recipient, { state: 'waiting' });
      return null;
    }
    if (step === 'lost') await this.retryLater(recipient, words);
    else await this.write(recipient, { state: 'waiting' });
    return this.afterFault(words);
  }

  private async afterRefusal(recipient: Recipient, { code, words }: SmtpFailure): Promise<Outcome | null> {
    const refusal = refusalOf(code, words);
    if (refusal.kind === 'address') {
      await this.write(recipient, { state: 'refused', reason: refusal.words });
      await suspend(this.app, recipient.subscriberId, refusal.words);
      return null;
    }
    await this.write(recipient, { state: 'failed', reason: refusal.words });
    this.refusals += 1;
    await this.writeIssue({ refusals: this.refusals });
    return this.refusals >= REFUSALS_MAX ? this.pause(null, refusal.words) : null;
  }

  private async retryLater(recipient: Recipient, words: string): Promise<null> {
    const wait = waits[recipient.tries];
    const tries = recipient.tries + 1;
    const reason = words.slice(0, 500);
    if (wait === undefined) await this.write(recipient, { state: 'failed', tries: TRIES_MAX, reason });
    else {
      const dueAt = new Date(this.app.clock.now().getTime() + wait);
      await this.write(recipient, { state: 'waiting', tries, reason, dueAt });
    }
    return null;
  }

  /** The server is down or does not take our mails: all of the issue waits. */
  private async afterFault(words: string): Promise<Outcome> {
    const wait = waits[this.faults];
    this.faults += 1;
    await this.writeIssue({ faults: this.faults });
    if (wait === undefined) {
      await this.app.db.newsletterRecipient.updateMany({
        where: { issueId: this.issue.id, state: { in: unsentStates } },
        data: { state: 'failed', tries: TRIES_MAX, reason: words.slice(0, 500) },
      });
      return this.pause(null, words);
    }
    this.app.log.warn({ reason: words }, 'The mail server takes no mail now; the newsletter waits');
    return this.again(new Date(this.app.clock.now().getTime() + wait));
  }

  private async pause(recipient: Recipient | null, words: string): Promise<Outcome> {
    if (recipient) await this.write(recipient, { state: 'waiting' });
    const reason =
      words.replace(/\s+/g, ' ').slice(0, 500) || 'The mail server refused the connection or the message.';
    await pauseIssue(this.app, this.issue.id, reason);
    this.app.log.error({ reason }, 'The newsletter is paused: see /newsletter');
    return { state: 'paused', reason };
  }

  /** Nothing is left, unless a retry was put back meanwhile. */
  private async finish(): Promise<Outcome> {
    const { db, clock } = this.app;
    const issueId = this.issue.id;
    const left = await db.newsletterRecipient.count({ where: { issueId, state: { in: unsentStates } } });
    if (left > 0) return this.again(clock.now());
    await db.newsletterIssue.updateMany({
      where: { id: issueId, state: 'sending' },
      data: { state: 'sent', finishedAt: clock.now() },
    });
    return { state: 'done' };
  }

  private async write(
    { issueId, subscriberId }: Recipient,
    data: Prisma.NewsletterRecipientUpdateInput,
  ): Promise<void> {
    // A mail that the server has accepted is sent, whatever somebody has cancelled meanwhile.
    const where = { issueId, subscriberId, ...(data.state !== 'sent' && { state: 'sending' }) };
    await this.app.db.newsletterRecipient.updateMany({ where, data });
  }

  private async writeIssue(data: Prisma.NewsletterIssueUpdateInput): Promise<void> {
    await this.app.db.newsletterIssue.update({ where: { id: this.issue.id }, data });
  }
}
