import { randomUUID } from 'node:crypto';
import type { Prisma } from '#app/platform/database/client.server.ts';
import { isAppError } from '#app/platform/errors.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { type PostFields, pickFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { intentFor, firstSeenAt, TRASHED } from '#app/posts/fields/states.ts';
import { readRevisionText } from '#app/posts/fields/stored.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import {
  type PublicChange,
  type PublishingContext,
  changePublicContent,
} from '#app/publishing/change/public-change.server.ts';
import { addressFields, pathBelow, movePagesBelow } from '#app/publishing/post-row/addresses.server.ts';
import { byTrigger, PostBatch } from '#app/publishing/post-row/history.server.ts';
import {
  POSTS_PER_STATEMENT,
  missingReferences,
  readPost,
  type PostRow,
} from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { enqueue } from '#app/search/outbox.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { lastSeenChange, readReleaseSteps, readSaves, statusAt } from './post-history.server.ts';
import { readTextChanges, rewindTexts } from './texts.server.ts';

/** The fields that tell where a post is among the others. */
const placeNames = [...addressFields, 'translationOf'] as const;

/**
 * Prepares a copy of the site for a post's former place. What has the address by now gets another one; its own former
 * address follows when it is rewound.
 * @param requested the post's former fields
 * @returns them, without a parent that is gone
 */
async function freeFormerPlace(
  change: PublicChange,
  postId: string,
  { before, requested }: { before: PostFields; requested: PostFields },
): Promise<PostFields> {
  const { tx } = change;
  const fields = { ...requested };
  if (fields.parentId !== null && fields.parentId !== before.parentId) {
    const parent = await tx.post.findUnique({ where: { id: fields.parentId, type: 'page' } });
    if (!parent) fields.parentId = before.parentId;
  }
  // The original was no translation then, as it may be by now, even of this post.
  if (fields.translationOf !== null && fields.translationOf !== before.translationOf)
    await tx.post.updateMany({ where: { id: fields.translationOf }, data: { translationOf: null } });
  const above = fields.type === 'page' ? await pathBelow(tx, { postId, parentId: fields.parentId }) : '';
  const slug = above + fields.slug;
  const holder = await tx.post.findUnique({ where: { slug }, select: { id: true } });
  if (fields.slug === '' || !holder || holder.id === postId) return fields;
  const free = `${slug}-${randomUUID()}`;
  await tx.post.update({ where: { id: holder.id }, data: { slug: free } });
  await movePagesBelow(change, holder.id, free);
  change.affects(holder.id);
  return fields;
}

/** What old addresses lead to: the columns of their rows, by path. */
type Redirects = ReadonlyMap<
  string,
  Pick<Prisma.RedirectGetPayload<object>, 'postId' | 'categoryId' | 'tagId'>
>;

/**
 * The old addresses that a site has recorded at an instant. The clock of a copy stands there, so these include all that
 * rewinding records.
 */
async function redirectsRecordedAt({ db }: Pick<PublishingContext, 'db'>, instant: Date): Promise<Redirects> {
  const rows = await db.redirect.findMany({ where: { createdAt: instant } });
  return new Map(rows.map(({ path, postId, categoryId, tagId }) => [path, { postId, categoryId, tagId }]));
}

/**
 * Deletes the redirects from later addresses to former ones: at that instant nothing was there. Where there was a
 * redirect to something else, it leads there again.
 */
async function forgetLaterAddresses(
  scratch: Pick<PublishingContext, 'db'>,
  instant: Date,
  recorded: Redirects,
): Promise<void> {
  const later: string[] = [];
  for (const [path, { postId }] of await redirectsRecordedAt(scratch, instant)) {
    const former = recorded.get(path);
    if (!former) later.push(path);
    else if (former.postId !== postId) await scratch.db.redirect.update({ where: { path }, data: former });
  }
  for (const chunk of inChunks(later, POSTS_PER_STATEMENT))
    await scratch.db.redirect.deleteMany({ where: { path: { in: chunk } } });
}

/** Databases limit the number of values in a statement. */
const POSTS_HIDDEN_AT_ONCE = 500;

/** Where a copy of the site is taken back to. */
interface Destination {
  instant: Date;
  /** When a late trigger published releases that were due at the instant: readers were to see them then. */
  lateReleases: readonly Date[];
}

/**
 * Takes a copy of the site back to an instant, as far as the records allow: settings, terms, authors and redirects.
 * Posts that changed since get their former text and state. What was due at the instant counts as published on time,
 * however late the trigger was: single posts keep the time for which they were scheduled, too.
 */
export async function rewindSite(
  scratch: PublishingContext,
  destination: Destination,
  onProgress: (done: number, total: number) => Promise<void>,
): Promise<void> {
  const { instant } = destination;
  await dropLaterPosts(scratch, instant);
  const textChanges = (await readTextChanges(scratch)).map((change) => onTime(change, destination));
  await rewindTexts(
    scratch,
    instant,
    textChanges.filter(({ at }) => at > instant),
  );
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
  const recorded = await redirectsRecordedAt(scratch, instant);
  const hidden: string[] = [];
  let waiting = changed.map(({ id }) => id);
  let before = Infinity;
  // A page may fit below its former parent only once the parent is at its own former place again.
  while (waiting.length > 0 && waiting.length < before) {
    before = waiting.length;
    const misplaced: string[] = [];
    for (const [index, postId] of waiting.entries()) {
      await onProgress(changed.length - waiting.length + index, changed.length);
      if (!(await rewindPost(scratch, { postId, hidden }, destination))) misplaced.push(postId);
    }
    waiting = misplaced;
  }
  if (hidden.length > 0) await changePublicContent(scratch, (change) => hide(change, hidden));
  await forgetLaterAddresses(scratch, instant, recorded);
}

/**
 * Deletes the posts that did not exist yet, all with one statement: after an import these may be all. Each leaves the
 * search index later, by its entry in the outbox.
 */
async function dropLaterPosts(scratch: PublishingContext, instant: Date): Promise<void> {
  const later = { createdAt: { gt: instant } };
  const posts = await scratch.db.post.findMany({ where: later, select: { id: true, status: true } });
  if (posts.length === 0) return;
  const published = posts.filter(({ status }) => status === 'published');
  await changePublicContent(scratch, async ({ tx, affectsEveryPage }) => {
    affectsEveryPage();
    await tx.post.deleteMany({ where: later });
    await enqueue(
      tx,
      scratch.clock,
      published.map(({ id }) => id),
    );
  });
}

/** Moves a change to the instant if it was due by then, and only the trigger came later. */
function onTime<T extends { at: Date; dueAt?: Date | null }>(
  change: T,
  { instant, lateReleases }: Destination,
): T {
  const isDue = change.dueAt
    ? change.dueAt <= instant
    : lateReleases.some((at) => at.getTime() === change.at.getTime());
  return change.at > instant && isDue ? { ...change, at: instant } : change;
}

/**
 * @param hidden gets the post if it was not public at the instant
 * @returns false for a post that stays at its present place, because its former one is not possible
 */
async function rewindPost(
  scratch: PublishingContext,
  { postId, hidden }: { postId: string; hidden: string[] },
  destination: Destination,
): Promise<boolean> {
  const { instant } = destination;
  const row = await scratch.db.post.findUnique({ where: { id: postId } });
  // A post that was in the trash changes there too, when its category is deleted.
  if (!row || (row.status === TRASHED && (await wasTrashed(scratch, postId, instant)))) return true;
  const former = await readFormerState(scratch, row, destination);
  // A post that was not public then is left out.
  if (!former) {
    if (row.status === 'published') hidden.push(postId);
    return true;
  }
  try {
    await writeFormerState(scratch, { postId, former, place: 'former' }, destination);
    return true;
  } catch (error) {
    // No record tells how its former place became impossible. The rest of the site can still be shown.
    if (!isAppError(error)) throw error;
    await writeFormerState(scratch, { postId, former, place: 'present' }, destination);
    return false;
  }
}

/** A public post at a past instant. */
interface FormerState {
  /** Its fields by the last save; null when none is recorded: it has the present ones. */
  fields: PostFields | null;
  publishedAt: Date;
  contentUpdatedAt: Date;
}

/** What the records say of a post at an instant; null when it was not public. */
async function readFormerState(
  scratch: PublishingContext,
  row: PostRow,
  destination: Destination,
): Promise<FormerState | null> {
  const { instant } = destination;
  const saved = (await readSaves(scratch, row.id)).map((save) => onTime(save, destination));
  const released = (await readReleaseSteps(scratch, row.id)).map((step) => onTime(step, destination));
  const isBefore = ({ at }: { at: Date }) => at <= instant;
  const revision = saved.findLast(isBefore);
  const lastChange = saved.findLast((save) => save.hasChanges && isBefore(save));
  const fields = (revision && (await readFields(scratch, revision.id))) ?? null;
  const release = released.findLast((step) => isBefore(step) && (!revision || step.at >= revision.at));
  const lastPublishedAt = release?.publishedAt ?? fields?.publishedAt ?? row.publishedAt;
  const publishedAt = lastPublishedAt && lastPublishedAt <= instant ? lastPublishedAt : null;
  const archiveAt = fields?.archiveAt ?? null;
  const status = statusAt({ ...row, publishedAt, archiveAt }, [...saved, ...released], instant);
  if (status !== 'published') return null;
  // The last save may have been without changes, and after the release that made the last change.
  const changedBy = released.findLast((step) => isBefore(step) && (!lastChange || step.at >= lastChange.at));
  // A late release recorded a time after the instant.
  const recordedAt = changedBy?.contentUpdatedAt;
  const updatedByRelease = recordedAt && (recordedAt > instant ? instant : recordedAt);
  const firstPublication = saved.find(({ to }) => to === 'published');
  const seenAt =
    lastChange && lastChange === firstPublication ? firstSeenAt(publishedAt, lastChange.at) : lastChange?.at;
  const writtenAt = changedBy?.at ?? seenAt ?? instant;
  return {
    fields,
    publishedAt: publishedAt ?? row.createdAt,
    contentUpdatedAt:
      lastSeenChange(saved, released, instant) ??
      // The trigger writes no revision when it publishes. Only the publication time is known, also after a release.
      (publishedAt && publishedAt > writtenAt ? publishedAt : (updatedByRelease ?? writtenAt)),
  };
}

/** Writes a post as it was. @param place the address that it gets: its former or its present one */
async function writeFormerState(
  scratch: PublishingContext,
  { postId, former, place }: { postId: string; former: FormerState; place: 'former' | 'present' },
  { instant, lateReleases }: Destination,
): Promise<void> {
  const settings = await readSettings(scratch);
  await changePublicContent(scratch, async (change) => {
    // A post that is in the trash now existed then.
    await change.tx.post.updateMany({ where: { id: postId, status: TRASHED }, data: { status: 'draft' } });
    const current = await readPost(change.tx, { postId });
    const before = await readPostFields(change.tx, current);
    const requested = { ...before, ...former.fields };
    for (const name of await missingReferences(change.tx, requested)) requested[name] = before[name];
    const fields =
      place === 'former'
        ? await freeFormerPlace(change, postId, { before, requested })
        : { ...requested, ...pickFields(before, placeNames) };
    await change.tx.redirect.deleteMany({
      where: { postId, createdAt: { gt: instant, notIn: [...lateReleases] } },
    });
    await writePost(scratch, change, {
      current,
      before,
      requested: { ...fields, slug: fields.slug || ownSlug(current.slug) },
      rendered: undefined,
      intent: intentFor.published,
      kind: 'save',
      editorId: null,
      settings,
      times: { publishedAt: former.publishedAt, archiveAt: null },
      contentUpdatedAt: former.contentUpdatedAt,
      takeOverSlug: true,
      batch: new PostBatch(byTrigger),
    });
  });
}

/** Whether a post has been in the trash since before an instant. */
async function wasTrashed({ db }: PublishingContext, postId: string, instant: Date): Promise<boolean> {
  const item = await db.trashItem.findFirst({
    where: trashEntries('post', postId),
    select: { trashedAt: true },
  });
  return item !== null && item.trashedAt <= instant;
}

/** Hides the posts that were not public at the instant, together: there may be thousands. */
async function hide({ tx, affects }: PublicChange, postIds: readonly string[]): Promise<void> {
  for (const chunk of inChunks(postIds, POSTS_HIDDEN_AT_ONCE))
    await tx.post.updateMany({ where: { id: { in: chunk } }, data: { status: 'draft' } });
  affects(...postIds);
}

/** The fields of a revision. The terms have been taken back already, and have their names and addresses of the instant. */
async function readFields({ db }: PublishingContext, id: string): Promise<PostFields | null> {
  const row = await db.revision.findUnique({ where: { id }, select: { fields: true } });
  const text = row && readRevisionText(row.fields);
  return text && { ...text.fields, ...(await readPresentFields(db, text)) };
}
