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

/** What is recorded of the terms that posts have. */
const termKinds = new Set<RecordedTextChange['kind']>(['tag', 'merged_tag', 'trashed_term', 'restored_term']);

/**
 * Takes a copy of the site back to an instant, as far as its records reach: settings, terms, authors and redirects, and
 * posts that changed since get the text and the state that they had.
 */
export async function rewindSite(scratch: PublishingContext, instant: Date): Promise<void> {
  const textChanges = await readTextChanges(scratch);
  await rewindTexts(
    scratch,
    instant,
    textChanges.filter(({ at }) => at > instant),
  );
  const ofTerms = textChanges.filter(({ kind, at }) => at <= instant && termKinds.has(kind));
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
    await rewindPost(scratch, { postId: id, ofTerms }, instant);
    await yieldToEventLoop();
  }
}

async function rewindPost(
  scratch: PublishingContext,
  { postId, ofTerms }: { postId: string; ofTerms: readonly RecordedTextChange[] },
  instant: Date,
): Promise<void> {
  const { db } = scratch;
  const row = await db.post.findUnique({ where: { id: postId } });
  if (!row) return;
  const [saved, released] = [await readSaves(scratch, postId), await readReleaseSteps(scratch, postId)];
  const isThere = ({ at }: { at: Date }) => at <= instant;
  const revision = saved.findLast(isThere);
  const lastChange = saved.findLast((save) => save.hasChanges && isThere(save));
  const kept = revision && (await readFields(scratch, revision.id));
  if (kept) Object.assign(kept, termsSince(ofTerms, { id: postId, terms: kept, savedAt: revision.at }));
  const release = released.findLast((step) => isThere(step) && (!revision || step.at >= revision.at));
  const dated = release?.publishedAt ?? kept?.publishedAt ?? row.publishedAt;
  const publishedAt = dated && dated <= instant ? dated : null;
  const archiveAt = kept?.archiveAt ?? null;
  const status =
    row.createdAt > instant
      ? null
      : statusAt({ ...row, publishedAt, archiveAt }, [...saved, ...released], instant);
  const isPublic = status === 'published';
  // Posts that were not public then are left out.
  if (!isPublic && row.status !== 'published') return;
  const rendered =
    kept && kept.body !== row.body ? await renderBody(scratch, kept.body, kept.language) : undefined;
  const settings = await readSettings(scratch);
  await changePublicContent(scratch, async (change) => {
    // A page that was not public then leaves its address free.
    if (!isPublic) return hide(change, postId);
    // What is in the trash now existed then.
    await change.tx.post.updateMany({ where: { id: postId, status: TRASHED }, data: { status: 'draft' } });
    const current = await readPost(change.tx, { postId });
    const before = await readPostFields(change.tx, current);
    const wanted = { ...before, ...kept };
    for (const name of await missingReferences(change.tx, wanted)) wanted[name] = before[name];
    // A save without changes may have come after the release that changed it last.
    const changedBy = released.findLast((step) => isThere(step) && (!lastChange || step.at >= lastChange.at));
    const writtenAt = changedBy?.at ?? lastChange?.at ?? instant;
    await change.tx.redirect.deleteMany({ where: { postId, createdAt: { gt: instant } } });
    await writePost(scratch, change, {
      current,
      before,
      wanted: { ...wanted, slug: wanted.slug || ownSlug(current.slug) },
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
        foundTime(saved, released, instant) ??
        // The trigger leaves no revision when it publishes: only the time is known, also after a release.
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

/** What happened to a post's state; null where no record tells. */
interface Step {
  at: Date;
  from: string | null;
  to: string | null;
}

/** A kept save of a post, with what it made of it. */
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

/** What a release made of a post. */
interface ReleaseStep extends Step {
  publishedAt: Date | null | undefined;
  /** What a rollback takes back readers see as updated when it was before. */
  contentUpdatedAt: Date;
  /** When readers had seen the last change before it. */
  found: Date;
}

/** What releases made of a post. Where they published it they left no revision, as the trigger. */
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
 * The time of the last change that readers had seen, if a release changed the post next: only a release recorded that, so
 * otherwise nobody knows how late the trigger was.
 */
function foundTime(saved: readonly Save[], released: readonly ReleaseStep[], instant: Date): Date | null {
  const next = released.find(({ at }) => at > instant);
  if (!next || next.found > instant) return null;
  return saved.some(({ at, hasChanges }) => hasChanges && at > instant && at < next.at) ? null : next.found;
}

/** The state that a post had: what its last record made of it, and what the trigger, which leaves no record, did since. */
function statusAt(
  post: {
    status: string;
    /** The publication time that it had then, where that was past. */
    publishedAt: Date | null;
    /** The archive time that it had then. */
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
  // It was put into the trash at some time in between.
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
