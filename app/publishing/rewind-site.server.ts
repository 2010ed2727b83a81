import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { newestFirst, readRevisionFields, savedKinds } from '#app/posts/revision.ts';
import { readStep } from '#app/posts/revision-outcome.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { intentFor, postStatuses, TRASHED, type PostStatus } from '#app/posts/states.ts';
import { readPostUndo } from '#app/releases/item-changes.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { byTrigger } from './audit-post.server.ts';
import { missingReferences, readPost } from './post-row.server.ts';
import { PostBatch } from './post-batch.server.ts';
import { changePublicContent, type PublicChange, type PublishingContext } from './public-change.server.ts';
import { renderBody } from './render-body.server.ts';
import { rewindTexts } from './rewind-texts.server.ts';
import { termsSince } from './terms-since.ts';
import { readTextChanges, type RecordedTextChange } from './text-changes.server.ts';
import { writePost } from './write-post.server.ts';

/** The recorded changes that concern a post's tags and category. */
const termKinds = new Set<RecordedTextChange['kind']>(['tag', 'merged_tag', 'trashed_term', 'restored_term']);

/**
 * Takes a copy of the site back to an instant, as far as the records allow: settings, terms, authors and redirects.
 * Posts that changed since get their former text and state.
 */
export async function rewindSite(scratch: PublishingContext, instant: Date): Promise<void> {
  const textChanges = await readTextChanges(scratch);
  await rewindTexts(
    scratch,
    instant,
    textChanges.filter(({ at }) => at > instant),
  );
  const termChanges = textChanges.filter(({ kind, at }) => at <= instant && termKinds.has(kind));
  const changed = await scratch.db.post.findMany({
    where: {
      OR: [
        { contentUpdatedAt: { gt: instant } },
        { publishedAt: { gt: instant } },
        { updatedAt: { gt: instant } },
      ],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const { id } of changed) {
    await rewindPost(scratch, { postId: id, termChanges }, instant);
    await yieldToEventLoop();
  }
}

async function rewindPost(
  scratch: PublishingContext,
  { postId, termChanges }: { postId: string; termChanges: readonly RecordedTextChange[] },
  instant: Date,
): Promise<void> {
  const { db } = scratch;
  const row = await db.post.findUnique({ where: { id: postId } });
  if (!row) return;
  const [saved, released] = [await readSaves(scratch, postId), await readReleaseSteps(scratch, postId)];
  const isBefore = ({ at }: { at: Date }) => at <= instant;
  const revision = saved.findLast(isBefore);
  const lastChange = saved.findLast((save) => save.hasChanges && isBefore(save));
  const revisionFields = revision && (await readFields(scratch, revision.id));
  if (revisionFields)
    Object.assign(
      revisionFields,
      termsSince(termChanges, { id: postId, terms: revisionFields, savedAt: revision.at }),
    );
  const release = released.findLast((step) => isBefore(step) && (!revision || step.at >= revision.at));
  const lastPublishedAt = release?.publishedAt ?? revisionFields?.publishedAt ?? row.publishedAt;
  const publishedAt = lastPublishedAt && lastPublishedAt <= instant ? lastPublishedAt : null;
  const archiveAt = revisionFields?.archiveAt ?? null;
  const status =
    row.createdAt > instant
      ? null
      : statusAt({ ...row, publishedAt, archiveAt }, [...saved, ...released], instant);
  const isPublic = status === 'published';
  // A post that was not public then is left out.
  if (!isPublic && row.status !== 'published') return;
  const rendered =
    revisionFields && revisionFields.body !== row.body
      ? await renderBody(scratch, revisionFields.body, revisionFields.language)
      : undefined;
  const settings = await readSettings(scratch);
  await changePublicContent(scratch, async (change) => {
    // A page that was not public then must leave its address free.
    if (!isPublic) return hide(change, postId);
    // A post that is in the trash now existed then.
    await change.tx.post.updateMany({ where: { id: postId, status: TRASHED }, data: { status: 'draft' } });
    const current = await readPost(change.tx, { postId });
    const before = await readPostFields(change.tx, current);
    const requested = { ...before, ...revisionFields };
    for (const name of await missingReferences(change.tx, requested)) requested[name] = before[name];
    // The last save may have been without changes, and after the release that made the last change.
    const changedBy = released.findLast(
      (step) => isBefore(step) && (!lastChange || step.at >= lastChange.at),
    );
    const writtenAt = changedBy?.at ?? lastChange?.at ?? instant;
    await change.tx.redirect.deleteMany({ where: { postId, createdAt: { gt: instant } } });
    await writePost(scratch, change, {
      current,
      before,
      requested: { ...requested, slug: requested.slug || ownSlug(current.slug) },
      rendered,
      intent: intentFor.published,
      kind: 'save',
      editorId: null,
      settings,
      times: {
        publishedAt: publishedAt ?? row.createdAt,
        archiveAt: null,
      },
      contentUpdatedAt:
        lastSeenChange(saved, released, instant) ??
        // The trigger writes no revision when it publishes. Only the publication time is known, also after a release.
        (publishedAt && publishedAt > writtenAt ? publishedAt : (changedBy?.contentUpdatedAt ?? writtenAt)),
      takeOverSlug: true,
      batch: new PostBatch(byTrigger),
    });
  });
}

async function hide({ tx, affects }: PublicChange, postId: string): Promise<void> {
  await tx.post.updateMany({ where: { id: postId }, data: { status: 'draft' } });
  affects(postId);
}

/** A change of a post's state; null if no record contains it. */
interface Step {
  at: Date;
  from: string | null;
  to: string | null;
}

/** A save of a post whose revision is kept. */
interface Save extends Step {
  id: string;
  hasChanges: boolean;
}

async function readSaves({ db }: PublishingContext, postId: string): Promise<Save[]> {
  const rows = await db.revision.findMany({
    where: { postId, kind: { in: [...savedKinds] } },
    select: { id: true, summary: true, outcome: true, createdAt: true },
    orderBy: newestFirst,
  });
  return rows.toReversed().map(({ id, createdAt: at, ...texts }) => ({ id, at, ...readStep(texts) }));
}

async function readFields({ db }: PublishingContext, id: string): Promise<PostFields | null> {
  const row = await db.revision.findUnique({ where: { id }, select: { fields: true } });
  return row && readRevisionFields(row.fields);
}

/** A change of a post by a release. */
interface ReleaseStep extends Step {
  publishedAt: Date | null | undefined;
  /** For a rollback, this may be an earlier time: readers then see the post as last updated at that time. */
  contentUpdatedAt: Date;
  /** The same time before the release. */
  found: Date;
}

/** The changes of a post by releases. A release that published it wrote no revision, like the trigger. */
async function readReleaseSteps({ db }: PublishingContext, postId: string): Promise<ReleaseStep[]> {
  const items = await db.releaseItem.findMany({
    where: {
      kind: 'post',
      subjectId: postId,
      undo: { not: null },
      release: { status: 'published' },
    },
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
function lastSeenChange(
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
function statusAt(
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
  return (postStatuses as readonly string[]).includes(status) ? (status as PostStatus) : 'draft';
}
