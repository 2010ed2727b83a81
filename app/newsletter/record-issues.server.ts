import type { CausingChange } from '#app/effects/events.ts';
import type { NewEffect } from '#app/effects/insert.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Clocked } from '#app/platform/services.ts';
import { PAGES_LIST } from '#app/posts/lists/lists.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { openIssueStates, unsentStates } from './states.ts';

export const ISSUE = 'newsletter.issue';

/** Posts that one statement reads: a release may have hundreds. */
const POSTS_READ = 100;

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
  for (let start = 0; start < published.length; start += POSTS_READ) {
    const ids = published.slice(start, start + POSTS_READ).map(({ id }) => id);
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
export async function cancelIssues(
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
