import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { readPostFields } from '#app/posts/read-post-fields.server.ts';
import { newestFirst, readRevisionFields, savedKinds } from '#app/posts/revision.ts';
import { intentFor, postStatuses, TRASHED, type PostStatus } from '#app/posts/states.ts';
import { readPostUndo, readTextUndo } from '#app/releases/item-changes.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { byTrigger } from './audit-post.server.ts';
import { missingReferences, readPost } from './post-row.server.ts';
import { PostBatch } from './post-batch.server.ts';
import { changePublicContent, type PublicChange, type PublishingContext } from './public-change.server.ts';
import { renderBody } from './render-body.server.ts';
import { rewindTexts } from './rewind-texts.server.ts';
import { UNCHANGED, writePost } from './write-post.server.ts';

/**
 * Takes a copy of the site back to an instant, as far as its revisions reach: posts that changed since get the text
 * and the state that they had. Settings, terms, authors and redirects go back where a release changed them; of others
 * nothing is kept.
 */
export async function rewindPosts(scratch: PublishingContext, instant: Date): Promise<void> {
  await rewindTexts(scratch, instant);
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
    await rewindPost(scratch, id, instant);
    await yieldToEventLoop();
  }
}

async function rewindPost(scratch: PublishingContext, postId: string, instant: Date): Promise<void> {
  const { db } = scratch;
  const row = await db.post.findUnique({ where: { id: postId } });
  if (!row) return;
  const saved = { postId, kind: { in: [...savedKinds] }, createdAt: { lte: instant } };
  const revision = await db.revision.findFirst({ where: saved, orderBy: newestFirst });
  const lastChange = await db.revision.findFirst({
    where: { ...saved, summary: { not: UNCHANGED } },
    orderBy: newestFirst,
    select: { createdAt: true },
  });
  const kept = revision && readRevisionFields(revision.fields);
  if (kept) kept.tags = await tagNamesAt(scratch, kept.tags, revision.createdAt, instant);
  const released = await readReleaseSteps(scratch, postId);
  const release = released.findLast(({ at }) => at <= instant && (!revision || at >= revision.createdAt));
  const foundByRelease = await readFoundTime(scratch, { postId, released, instant });
  const dated = release?.publishedAt ?? kept?.publishedAt ?? row.publishedAt;
  const publishedAt = dated && dated <= instant ? dated : null;
  const status =
    row.createdAt > instant ? null : await statusAt(scratch, { ...row, publishedAt }, released, instant);
  const isPublic = status === 'published';
  // What no reader saw then need not be there.
  if (!isPublic && row.status !== 'published') return;
  const rendered =
    kept && kept.body !== row.body ? await renderBody(scratch, kept.body, kept.language) : undefined;
  const settings = await readSettings(scratch);
  await changePublicContent(scratch, async (change) => {
    // A page that was not public then leaves its address free.
    if (!isPublic) return hide(change, postId);
    // What lies in the trash by now was there then.
    await change.tx.post.updateMany({ where: { id: postId, status: TRASHED }, data: { status: 'draft' } });
    const current = await readPost(change.tx, { postId });
    const before = await readPostFields(change.tx, current);
    const wanted = { ...before, ...kept };
    for (const name of await missingReferences(change.tx, wanted)) wanted[name] = before[name];
    // A save without changes may have come behind the release that changed it last.
    const changedBy = released.findLast(
      ({ at }) => at <= instant && (!lastChange || at >= lastChange.createdAt),
    );
    const writtenAt = changedBy?.at ?? lastChange?.createdAt ?? instant;
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
        foundByRelease ??
        // What the trigger published leaves no revision: its time tells of it, also behind a release.
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

/** A step of a post's state and when it took it. */
interface Step {
  at: Date;
  from: string;
  to: string;
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
 * When readers had seen the last change, where the next thing that happened to the post was a release: only that tells
 * how late the trigger was.
 */
async function readFoundTime(
  { db }: PublishingContext,
  { postId, released, instant }: { postId: string; released: readonly ReleaseStep[]; instant: Date },
): Promise<Date | null> {
  const next = released.find(({ at }) => at > instant);
  if (!next || next.found > instant) return null;
  const between = { gt: instant, lt: next.at };
  const kinds = { in: [...savedKinds] };
  const saved = await db.revision.count({
    where: { postId, kind: kinds, summary: { not: UNCHANGED }, createdAt: between },
  });
  return saved === 0 ? next.found : null;
}

/**
 * The names of a post's tags at an instant: a revision keeps those of its own time, and releases rename tags. A rollback
 * does so after it has written its posts.
 */
async function tagNamesAt(
  { db }: PublishingContext,
  names: readonly string[],
  savedAt: Date,
  instant: Date,
): Promise<string[]> {
  const times = [
    { publishedAt: { gt: savedAt, lte: instant } },
    { publishedAt: savedAt, rollbackOfId: { not: null } },
  ];
  const items = await db.releaseItem.findMany({
    where: { kind: 'tag', undo: { not: null }, release: { status: 'published', OR: times } },
    select: { undo: true },
    orderBy: { release: { publishedAt: 'asc' } },
  });
  const renames = items.flatMap(({ undo }) => readTextUndo(undo) ?? []);
  const nameAfter = (name: string) =>
    renames.reduce((now, { before, after }) => (now === before.name ? (after.name ?? now) : now), name);
  return names.map(nameAfter);
}

/** The state that a post had, from what its revisions and its releases tell of its steps. */
async function statusAt(
  { db }: PublishingContext,
  post: {
    id: string;
    status: string;
    /** The publication time that it had then, where that was past. */
    publishedAt: Date | null;
    contentUpdatedAt: Date;
    hasBeenPublic: boolean;
  },
  released: readonly Step[],
  instant: Date,
): Promise<PostStatus> {
  const rows = await db.revision.findMany({
    where: { postId: post.id, kind: { in: [...savedKinds] } },
    select: { summary: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { postVersion: 'asc' }],
  });
  const saved = rows.flatMap(({ summary, createdAt }): Step[] => {
    const step = /(\w+) → (\w+)/.exec(summary);
    return step ? [{ at: createdAt, from: step[1]!, to: step[2]! }] : [];
  });
  const steps = [...saved, ...released].sort((a, b) => a.at.getTime() - b.at.getTime());
  const next = steps.find(({ at }) => at > instant);
  const last = steps.findLast(({ at }) => at <= instant);
  const wasPublic = post.hasBeenPublic && post.publishedAt !== null;
  // The trigger's own steps leave no revision: the publication time tells of them.
  const known = next?.from ?? last?.to ?? (post.status === TRASHED ? 'published' : post.status);
  if (known === 'scheduled' || known === 'published' || known === 'archived')
    if (known !== 'archived' || (!last && post.contentUpdatedAt > instant))
      return wasPublic ? 'published' : 'draft';
  return (postStatuses as readonly string[]).includes(known) ? (known as PostStatus) : 'draft';
}
