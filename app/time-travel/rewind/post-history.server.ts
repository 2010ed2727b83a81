// What the records of a post tell about its state at an instant: the outcomes of its revisions, and release items.
import { isOneOf } from '#app/platform/narrow.ts';
import { postStatuses, TRASHED, type PostStatus } from '#app/posts/fields/states.ts';
import { newestFirst, savedKinds } from '#app/posts/fields/stored.ts';
import { readStep } from '#app/posts/history/changes.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { readPostUndo } from '#app/releases/items.ts';

/** A change of a post's state; null if no record contains it. */
export interface Step {
  at: Date;
  from: string | null;
  to: string | null;
}

/** A save of a post whose revision is kept. */
export interface Save extends Step {
  id: string;
  hasChanges: boolean;
  /** Of a scheduled update: its time, which is before `at` when the trigger was late. */
  dueAt: Date | null;
}

export async function readSaves({ db }: PublishingContext, postId: string): Promise<Save[]> {
  const rows = await db.revision.findMany({
    where: { postId, kind: { in: [...savedKinds] } },
    select: { id: true, summary: true, outcome: true, createdAt: true },
    orderBy: newestFirst,
  });
  return rows.toReversed().map(({ id, createdAt: at, ...texts }) => ({ id, at, ...readStep(texts) }));
}

/** A change of a post by a release. */
export interface ReleaseStep extends Step {
  publishedAt: Date | null | undefined;
  /** For a rollback, this may be an earlier time: readers then see the post as last updated at that time. */
  contentUpdatedAt: Date;
  /** The same time before the release. */
  found: Date;
}

/** The changes of a post by releases. A release that published it wrote no revision, like the trigger. */
export async function readReleaseSteps({ db }: PublishingContext, postId: string): Promise<ReleaseStep[]> {
  const items = await db.releaseItem.findMany({
    where: { kind: 'post', subjectId: postId, undo: { not: null }, release: { status: 'published' } },
    select: { undo: true, release: { select: { publishedAt: true } } },
  });
  const steps = items.flatMap(({ undo: json, release: { publishedAt: at } }) => {
    const undo = readPostUndo(json);
    if (!undo || !at) return [];
    const { before, after } = undo;
    const { contentUpdatedAt, fields } = after;
    const [found, { publishedAt }] = [before.contentUpdatedAt, fields];
    return [{ at, from: before.status, to: after.status, publishedAt, contentUpdatedAt, found }];
  });
  return steps.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * The time of the last change that readers had seen, known only if a release made the post's next change: the release
 * recorded it. Otherwise it is unknown how late the trigger was.
 */
export function lastSeenChange(
  saved: readonly Save[],
  released: readonly ReleaseStep[],
  instant: Date,
): Date | null {
  const next = released.find(({ at }) => at > instant);
  if (!next || next.found > instant) return null;
  return saved.some(({ at, hasChanges }) => hasChanges && at > instant && at < next.at) ? null : next.found;
}

/**
 * The state of a post at an instant: that of the last record, and what the trigger, which leaves no record, did since.
 */
export function statusAt(
  post: {
    status: string;
    /** The publication time that it had at the instant, if that had passed. */
    publishedAt: Date | null;
    /** The archive time that it had at the instant. */
    archiveAt: Date | null;
    contentUpdatedAt: Date;
    hasBeenPublic: boolean;
  },
  records: readonly Step[],
  instant: Date,
): PostStatus {
  const steps = records.filter(({ from }) => from !== null).sort((a, b) => a.at.getTime() - b.at.getTime());
  const last = steps.findLast(({ at }) => at <= instant);
  const next = steps.find(({ at }) => at > instant);
  // The post was put into the trash between the two steps.
  if (next?.from === TRASHED) return 'draft';
  let status = last?.to ?? next?.from ?? (post.status === TRASHED ? 'published' : post.status);
  if (!last && status === 'archived' && post.contentUpdatedAt > instant) status = 'published';
  if (status === 'scheduled' || status === 'published')
    status = post.hasBeenPublic && post.publishedAt ? 'published' : 'draft';
  const { archiveAt } = post;
  const isDue = archiveAt !== null && archiveAt <= instant && (!last || archiveAt > last.at);
  if (status === 'published' && isDue) return 'archived';
  return isOneOf(postStatuses, status) ? status : 'draft';
}
