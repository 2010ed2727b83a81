import type { Transaction } from '#app/platform/database/client.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { isOneOf } from '#app/platform/narrow.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { savedKinds, newestFirst } from '#app/posts/fields/stored.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** Posts whose revisions one statement reads. */
const POSTS_READ = 50;

/**
 * Deletes the revisions of these posts beyond the number and age that the settings keep. The revision of a post's
 * current text is never deleted: a stale save is compared with it. Unsaved changes count for their age only, so that
 * saves by others do not delete them.
 */
export async function cleanUpRevisions(
  tx: Transaction,
  postIds: string[],
  settings: Pick<Settings, 'revision_keep_count' | 'revision_keep_days'>,
  now: Date,
): Promise<void> {
  for (const chunk of inChunks(postIds, POSTS_READ)) await cleanUpSome(tx, chunk, settings, now);
}

async function cleanUpSome(
  tx: Transaction,
  postIds: string[],
  settings: Pick<Settings, 'revision_keep_count' | 'revision_keep_days'>,
  now: Date,
): Promise<void> {
  const { revision_keep_count: keepCount, revision_keep_days: keepDays } = settings;
  const crowded = await postsWithMoreThan(tx, postIds, keepCount);
  const aged =
    keepDays > 0 ? await postsWithOlder(tx, postIds, new Date(now.getTime() - keepDays * DAY_MS)) : null;
  const untidy = [...new Set([...crowded, ...(aged?.postIds ?? [])])];
  if (untidy.length === 0) return;
  // One read for all posts, without the texts.
  const revisions = await tx.revision.findMany({
    where: { postId: { in: untidy } },
    orderBy: newestFirst,
    select: { id: true, postId: true, kind: true, createdAt: true },
  });
  const byPost = new Map<string, typeof revisions>();
  for (const revision of revisions)
    byPost.set(revision.postId, [...(byPost.get(revision.postId) ?? []), revision]);
  const surplus = untidy.flatMap((postId) => {
    const ofPost = byPost.get(postId) ?? [];
    const current = ofPost.find(({ kind }) => isOneOf(savedKinds, kind));
    const others = ofPost.filter((revision) => revision !== current);
    const othersKept = current ? keepCount - 1 : keepCount;
    const tooMany = new Set(others.filter(({ kind }) => kind !== 'autosave').slice(othersKept));
    return others.filter((revision) => tooMany.has(revision) || (aged && revision.createdAt < aged.cutOff));
  });
  await tx.revision.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
}

async function postsWithMoreThan(tx: Transaction, postIds: string[], keepCount: number): Promise<string[]> {
  const groups = await tx.revision.groupBy({
    by: ['postId'],
    where: { postId: { in: postIds } },
    having: { postId: { _count: { gt: keepCount } } },
  });
  return groups.map(({ postId }) => postId);
}

async function postsWithOlder(tx: Transaction, postIds: string[], cutOff: Date) {
  const groups = await tx.revision.groupBy({
    by: ['postId'],
    where: { postId: { in: postIds }, createdAt: { lt: cutOff } },
  });
  return { cutOff, postIds: groups.map(({ postId }) => postId) };
}
