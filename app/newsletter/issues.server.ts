import type { EffectApp } from '#app/effects/effect-app.ts';
import { insertEffects } from '#app/effects/insert.server.ts';
import { NEVER } from '#app/effects/plan.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Timed } from '#app/platform/services.ts';
import { cancelIssues, ISSUE } from './record-issues.server.ts';
import { openIssueStates, unsentStates } from './states.ts';

/** A mail that was tried so often is `failed`. */
export const TRIES_MAX = 6;

export interface IssueFigures {
  id: string;
  postId: string;
  subject: string;
  state: string;
  reason: string;
  dueAt: Date;
  createdAt: Date;
  recipients: number;
  sent: number;
  waiting: number;
  failed: number;
  cancelled: number;
}

/** Issues with their figures, newest first. */
export async function listIssues(
  { db }: Pick<Timed, 'db'>,
  { before, take }: { before?: string; take: number },
): Promise<IssueFigures[]> {
  const issues = await db.newsletterIssue.findMany({
    where: before === undefined ? {} : { id: { lt: before } },
    orderBy: { id: 'desc' },
    take,
  });
  const counts = await db.newsletterRecipient.groupBy({
    by: ['issueId', 'state'],
    where: { issueId: { in: issues.map(({ id }) => id) } },
    _count: true,
  });
  return issues.map((issue) => {
    const count = (...states: string[]) =>
      counts
        .filter(({ issueId, state }) => issueId === issue.id && states.includes(state))
        .reduce((sum, { _count }) => sum + _count, 0);
    const { id, postId, subject, state, reason, dueAt, createdAt, recipients } = issue;
    return {
      ...{ id, postId, subject, state, reason, dueAt, createdAt, recipients },
      sent: count('sent'),
      waiting: count(...unsentStates),
      failed: count('failed', 'refused'),
      cancelled: count('cancelled'),
    };
  });
}

/** The issue with its figures. @throws AppError `not_found`. */
export async function requireIssue({ db }: Pick<Timed, 'db'>, id: string): Promise<IssueFigures> {
  const issue = await db.newsletterIssue.findUnique({ where: { id } });
  if (!issue) throw new AppError('not_found', 'This issue does not exist.');
  const groups = await db.newsletterRecipient.groupBy({
    by: ['state'],
    where: { issueId: id },
    _count: true,
  });
  const count = (...states: string[]) =>
    groups.filter(({ state }) => states.includes(state)).reduce((sum, { _count }) => sum + _count, 0);
  return {
    ...issue,
    sent: count('sent'),
    waiting: count(...unsentStates),
    failed: count('failed', 'refused'),
    cancelled: count('cancelled'),
  };
}

/** Pauses an issue: until it is resumed, nothing more of it is sent. */
export async function pauseIssue({ db }: Timed, id: string, reason = ''): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.newsletterIssue.updateMany({
      where: { id, state: { in: ['waiting', 'sending'] } },
      data: { state: 'paused', reason },
    });
    await tx.effect.updateMany({
      where: { receiver: id, state: { in: ['waiting', 'failed'] } },
      data: { dueAt: NEVER },
    });
  });
}

/**
 * Sends what is left of a paused or held issue, in its own order and under the same Message-IDs: not before its time, and
 * also what failed because the server took nothing.
 */
export async function resumeIssue(app: Timed, id: string): Promise<void> {
  const { clock, db } = app;
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const issue = await tx.newsletterIssue.findUnique({ where: { id } });
    const isEarly = issue !== null && issue.dueAt > now;
    const { count } = await tx.newsletterIssue.updateMany({
      where: { id, state: { in: ['paused', 'held'] } },
      data: { state: isEarly ? 'waiting' : 'sending', reason: '', refusals: 0, faults: 0 },
    });
    if (!issue || count === 0) return;
    const dueAt = isEarly ? issue.dueAt : now;
    await tx.newsletterRecipient.updateMany({
      where: { issueId: id, OR: [{ state: 'waiting' }, { state: 'failed', tries: TRIES_MAX }] },
      data: { state: 'waiting', dueAt, tries: 0 },
    });
    const queued = await tx.effect.updateMany({
      where: { receiver: id },
      data: { state: 'waiting', dueAt, finishedAt: null },
    });
    if (queued.count > 0) return;
    const subject = `post:${issue.postId}`;
    const event = { kind: 'mail', event: ISSUE, subject, receiver: id } as const;
    const effect = { ...event, details: { issue: id }, dueAt };
    await insertEffects(app, tx, [effect], { sequence: 0, now });
  });
}

/** Ends what is not sent of an issue, for good. */
export async function cancelIssue({ db, clock }: Timed, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const issue = await tx.newsletterIssue.findUnique({ where: { id }, select: { postId: true } });
    if (issue) await cancelIssues(tx, [issue.postId], '', clock.now());
  });
}

/**
 * Holds issues that a backup brought back half sent: after it was made, others may have got them. An editor resumes or
 * cancels them.
 */
export async function holdImportedIssues(tx: Transaction): Promise<void> {
  await tx.newsletterIssue.updateMany({
    where: { state: { in: openIssueStates } },
    data: { state: 'held', reason: 'A backup brought this issue back. Some people may have it already.' },
  });
}

/** The state of the newsletter for the readiness route: something waits for a person. */
export async function checkNewsletter({ db }: Pick<EffectApp, 'db'>): Promise<'ok' | 'paused' | 'held'> {
  const stopped = await db.newsletterIssue.findFirst({
    where: { state: { in: ['paused', 'held'] }, reason: { not: '' } },
    select: { state: true },
  });
  return (stopped?.state as 'paused' | 'held' | undefined) ?? 'ok';
}

/** How many people would get an issue now. */
export async function countActive({ db }: Pick<Timed, 'db'>): Promise<number> {
  return db.subscriber.count({ where: { state: 'active', frequency: 'each' } });
}

/** Removes the list and what would be sent from a copy of the database. */
export async function forgetNewsletter(tx: Transaction): Promise<void> {
  await tx.newsletterRecipient.deleteMany();
  await tx.newsletterIssue.deleteMany();
  await tx.subscriber.deleteMany();
  await tx.subscriberErasure.deleteMany();
}
