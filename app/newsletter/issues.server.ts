import { ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import type { EffectApp } from '#app/effects/effect-app.ts';
import { NEVER, type CausingChange } from '#app/effects/events.ts';
import { insertEffects, type NewEffect } from '#app/effects/outbox.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction, Prisma } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Timed, Clocked } from '#app/platform/services.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { openIssueStates, unsentStates } from './states.ts';

/** A mail that was tried so often is `failed`. */
export const TRIES_MAX = 6;

type Issue = Prisma.NewsletterIssueGetPayload<object>;
type IssueFigures = Issue & Record<'sent' | 'waiting' | 'failed' | 'cancelled', number>;

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
  return withFigures(db, issues);
}

/** The issue with its figures. @throws AppError `not_found`. */
export async function requireIssue({ db }: Pick<Timed, 'db'>, id: string): Promise<IssueFigures> {
  const issue = await db.newsletterIssue.findUnique({ where: { id } });
  if (!issue) throw new AppError('not_found', 'This issue does not exist.');
  const [figures] = await withFigures(db, [issue]);
  return figures!;
}

async function withFigures(db: Timed['db'], issues: Issue[]): Promise<IssueFigures[]> {
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
    return {
      ...issue,
      sent: count('sent'),
      waiting: count(...unsentStates),
      failed: count('failed', 'refused'),
      cancelled: count('cancelled'),
    };
  });
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

export const ISSUE = 'newsletter.issue';

/**
 * Makes the issues of posts that became public, with a row for each subscriber of this moment, and ends those of posts
 * that are no longer public. Call it in the transaction of the change.
 * @returns the effects that send them
 */
export async function recordIssues(
  app: Clocked,
  tx: Transaction,
  { posts, now }: Pick<CausingChange, 'posts'> & { now: Date },
): Promise<NewEffect[]> {
  const hidden = posts.filter(({ before, after }) => before !== null && after === null);
  if (hidden.length > 0)
    await cancelIssues(
      tx,
      hidden.map(({ id }) => id),
      'The post is no longer public.',
      now,
    );
  const published = posts.filter(
    ({ before, after }) =>
      before === null && after !== null && after !== 'unknown' && after.listedIn !== PAGES_LIST,
  );
  const effects: NewEffect[] = [];
  for (let start = 0; start < published.length; start += ROWS_A_STEP) {
    const ids = published.slice(start, start + ROWS_A_STEP).map(({ id }) => id);
    effects.push(...(await issuesOf(app, tx, ids, now)));
  }
  return effects;
}

async function issuesOf(app: Clocked, tx: Transaction, ids: string[], now: Date): Promise<NewEffect[]> {
  const posts = await tx.post.findMany({
    where: { id: { in: ids }, sendByEmail: 'yes' },
    select: { id: true, title: true, emailSubject: true, emailPreview: true, categoryId: true },
    orderBy: { publishedAt: 'asc' },
  });
  if (posts.length === 0) return [];
  const sent = await tx.newsletterIssue.findMany({
    where: { postId: { in: ids } },
    select: { postId: true },
  });
  const sentIds = new Set(sent.map(({ postId }) => postId));
  const minutes = await readSetting({ db: tx }, 'newsletter_delay_minutes');
  const dueAt = new Date(now.getTime() + minutes * 60_000);
  const effects: NewEffect[] = [];
  for (const { id: postId, title, emailSubject, emailPreview, categoryId } of posts) {
    if (sentIds.has(postId)) continue;
    const id = newId(app.clock);
    const wanted = `%"${categoryId ?? ''}"%`;
    const recipients = await tx.$executeRaw`
      INSERT INTO newsletter_recipients (issue_id, subscriber_id, state, tries, due_at, reason)
      SELECT ${id}, id, 'waiting', 0, ${dueAt}, '' FROM subscribers
      WHERE state = 'active' AND frequency = 'each' AND (categories = '[]' OR categories LIKE ${wanted})`;
    await tx.newsletterIssue.create({
      data: {
        ...{ id, postId, subject: emailSubject || title, preview: emailPreview },
        ...{ recipients, dueAt, createdAt: now },
      },
    });
    effects.push({
      ...{ kind: 'mail', event: ISSUE, subject: `post:${postId}`, receiver: id },
      ...{ details: { issue: id }, dueAt },
    });
  }
  return effects;
}

/** Ends what is not sent of the issues of these posts. */
async function cancelIssues(
  tx: Transaction,
  postIds: readonly string[],
  reason: string,
  now: Date,
): Promise<void> {
  const open = await tx.newsletterIssue.findMany({
    where: { postId: { in: [...postIds] }, state: { in: openIssueStates } },
    select: { id: true },
  });
  if (open.length === 0) return;
  const ids = { in: open.map(({ id }) => id) };
  await tx.newsletterIssue.updateMany({
    where: { id: ids },
    data: { state: 'cancelled', reason, finishedAt: now },
  });
  await tx.newsletterRecipient.updateMany({
    where: { issueId: ids, state: { in: unsentStates } },
    data: { state: 'cancelled' },
  });
  await tx.effect.updateMany({
    where: { receiver: ids, state: { in: ['waiting', 'failed', 'held'] } },
    data: { state: 'cancelled', finishedAt: now },
  });
}
