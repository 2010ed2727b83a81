import { fieldError } from '#app/platform/errors.ts';
import { type Message } from '#app/platform/message.ts';
import { oneOf } from '#app/platform/narrow.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import {
  firstSeenAt,
  isUntitled,
  nextStatus,
  type PostStatus,
  type StateIntent,
  type StoredStatus,
  storedStatuses,
} from '#app/posts/fields/states.ts';
import { changedFields, isSeen, type RevisionKind } from '#app/posts/fields/stored.ts';
import type { RevisionOutcome } from '#app/posts/history/changes.ts';
import { ownSlug } from '#app/posts/paths.ts';
import {
  forgetReleaseProblems,
  PostOvertaken,
  type PublishingContext,
  type PublicChange,
} from '#app/publishing/change/public-change.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';
import {
  addressFields,
  claimAddress,
  redirectOldPath,
  movePagesBelow,
  requireNoPagesBelow,
} from './addresses.server.ts';
import {
  auditPostState,
  type PostBatch,
  cleanUpRevisions,
  writeRevision,
  type NewRevision,
} from './history.server.ts';
import { resolveAuthors, setPostAuthors, setPostTags, type TagReference } from './tags-and-authors.server.ts';
import { renderRequestedBody, type RenderedBody } from './body.server.ts';
import { restoreNamedMedia } from './restore-named-media.server.ts';
import { columnsOf, resolveReferences, type PostRow } from './row.server.ts';
import { resolveTimes } from './times.ts';
import { mergeIntoWaitingTexts, type MergeChoice } from './kept-texts.server.ts';

export interface PostWrite {
  /** The row that `readPost` returned. */
  current: PostRow;
  before: PostFields;
  /** The fields to write, before times, address, authors and references are resolved. */
  requested: PostFields;
  /** The requested body, rendered before the transaction to keep that short. Absent: `writePost` renders a new body. */
  rendered: RenderedBody | undefined;
  intent: StateIntent;
  kind: RevisionKind;
  editorId: string | null;
  /** Another author for the post; absent: unchanged. */
  authorId?: string | null;
  /** The id of the post in the feeds of the site that it was imported from. */
  sourceGuid?: string;
  /** The editor's network address, for the audit log. */
  address?: string;
  settings: Settings;
  takeOverSlug?: boolean;
  /** Pages that move elsewhere in the same change. */
  leaving?: ReadonlySet<string>;
  /** The resolved times; absent: the intent decides them. */
  times?: Pick<PostFields, 'publishedAt' | 'archiveAt'>;
  /** The tags with their slugs, if names are ambiguous. */
  tags?: TagReference[];
  /** The reason in words, for the revision. */
  reason?: Message;
  /** When the trigger was to make this change. Absent: somebody makes it now. */
  dueAt?: Date;
  /** When readers last saw a change, if that is not now. */
  contentUpdatedAt?: Date;
  /** How the change goes into the post's texts that wait for their time; absent: it leaves them as they are. */
  waiting?: MergeChoice;
  /** Collects the revision, the audit entry and the clean-up, to write them for many posts at once. */
  batch?: PostBatch;
}

/**
 * Writes new fields and the state after an intent, with the revision and the redirect that follow.
 * @throws AppError `invalid_input` with field errors.
 */
export async function writePost(app: PublishingContext, change: PublicChange, write: PostWrite) {
  const { tx, now } = change;
  const { current, before, requested, intent, settings } = write;
  const from = oneOf(storedStatuses, current.status);
  const status = nextStatus(from, intent);
  if (status !== from && isUntitled(current, requested)) throw fieldError('title', 'Title is required.');
  const times = write.times ?? resolveTimes({ from, to: status, intent, before, requested, now });
  const address = await addressFor(change, write);
  const authors = await resolveAuthors(tx, requested.authors);
  const fields = {
    ...(await resolveReferences(tx, requested, before)),
    ...times,
    slug: ownSlug(address),
    authors: authors.map(({ name }) => name),
  };
  const changed = changedFields(before, fields);
  const rendered = await renderRequestedBody({ ...app, db: tx, settings }, write);
  const isPublic = status === 'published';
  if (!current.hasBeenPublic && address !== current.slug) await forgetReleaseProblems(tx);
  // The only write of the row. Its condition fails when another change has written the row since it was read.
  const { count } = await tx.post.updateMany({
    where: { id: current.id, version: current.version },
    data: {
      ...columnsOf(fields, rendered, { slug: address, settings }),
      version: { increment: 1 },
      ...(write.authorId && { authorId: write.authorId }),
      ...(write.sourceGuid && { sourceGuid: write.sourceGuid }),
      status,
      hasBeenPublic: current.hasBeenPublic || isPublic,
      slugFollowsTitle: current.slugFollowsTitle && ['', before.slug].includes(requested.slug),
      ...((isSeen(changed) || status !== from || write.contentUpdatedAt) && {
        contentUpdatedAt: write.contentUpdatedAt ?? seenAt(write, { status, changed, times, now }),
      }),
      updatedAt: now,
    },
  });
  if (count === 0) throw new PostOvertaken();
  if (changed.includes('body') || changed.includes('coverMediaId'))
    await restoreNamedMedia(tx, app.clock, fields, write);
  if (write.tags || changed.includes('tags'))
    fields.tags = await setPostTags(tx, app.clock, current.id, write.tags ?? fields.tags);
  if (fields.translationOf === current.id)
    throw fieldError('translationOf', 'A post cannot translate itself. Choose another.');
  if (changed.includes('translationOf') && fields.translationOf)
    await followOriginal(change, current.id, fields.translationOf);
  if (changed.includes('authors')) await setPostAuthors(tx, current.id, authors);
  if (current.hasBeenPublic) await redirectOldPath(tx, current.id, current.slug, address, now);
  const hasDroppedUpdate = !isPublic && (await dropScheduledUpdate(tx, current.id));
  const version = current.version + 1;
  await recordWrite(app, change, write, {
    fields,
    version,
    outcome: { changed, from, to: status, hasDroppedUpdate, dueAt: write.dueAt?.toISOString() },
  });
  if (isPublic && from === 'published' && write.waiting) {
    const live = { postId: current.id, version, before, after: fields, editorId: write.editorId };
    await mergeIntoWaitingTexts(app, change, live, write.waiting);
  }
  change.affectsWritten(...(isPublic || from === 'published' ? [current.id] : []));
  if (before.type === 'page' && address !== current.slug)
    await movePagesBelow(change, current.id, address, write);
  return { id: current.id, slug: fields.slug, status, version, fields };
}

/** When readers saw the last change of the text. The first publication, or another date for it, is none. */
function seenAt(
  { current, before }: PostWrite,
  {
    status,
    changed,
    times,
    now,
  }: {
    status: PostStatus;
    changed: readonly (keyof PostFields)[];
    times: Pick<PostFields, 'publishedAt'>;
    now: Date;
  },
): Date {
  if (status !== 'published') return now;
  const isFirst = !current.hasBeenPublic;
  const isUnrevised = before.publishedAt !== null && current.contentUpdatedAt <= before.publishedAt;
  const isRedated = current.status === status && !isSeen(changed.filter((name) => name !== 'publishedAt'));
  return isFirst || (isUnrevised && isRedated) ? firstSeenAt(times.publishedAt, now) : now;
}

type PostOutcome = RevisionOutcome & { from: StoredStatus; to: PostStatus };

/** Records a write as a revision and in the audit log, and deletes old revisions. */
async function recordWrite(
  app: Pick<PublishingContext, 'clock'>,
  { tx, now }: PublicChange,
  write: PostWrite,
  { fields, version, outcome }: { fields: PostFields; version: number; outcome: PostOutcome },
): Promise<void> {
  const { current, settings } = write;
  const isAutosave = write.kind === 'draft';
  const revision: NewRevision = {
    postId: current.id,
    postVersion: version,
    kind: write.kind,
    authorId: write.editorId,
    fields,
    summary: isAutosave ? 'Saved automatically' : (write.reason ?? ''),
    // One revision contains many autosaves, so it lists no changes.
    outcome: { ...outcome, changed: isAutosave ? [] : outcome.changed },
  };
  const state = { ...write, title: fields.title, from: outcome.from, to: outcome.to };
  if (write.batch) return write.batch.add(revision, state);
  await writeRevision(tx, app.clock, revision);
  await auditPostState(tx, app.clock, state);
  await cleanUpRevisions(tx, [current.id], settings, now);
}

/** A post keeps its present address, unless its slug is still made from the title. */
async function addressFor(
  change: PublicChange,
  { current, before, requested, takeOverSlug, leaving, editorId }: PostWrite,
): Promise<string> {
  const { id: postId, hasBeenPublic, slugFollowsTitle } = current;
  const follows = slugFollowsTitle && !hasBeenPublic && requested.title !== current.title;
  const stays = addressFields.every((name) => requested[name] === before[name]);
  if (stays && !follows) return current.slug;
  if (before.type === 'page' && requested.type === 'post')
    await requireNoPagesBelow(change.tx, current, editorId);
  const isOwn = follows && requested.slug === before.slug;
  const fields = isOwn ? { ...requested, slug: '' } : requested;
  const { parentId: parentBefore } = before;
  return claimAddress(change, { postId, fields, takeOverSlug, leaving, editorId, parentBefore });
}

/** Makes the translations of a post that has itself become a translation belong to its original. */
async function followOriginal(change: PublicChange, postId: string, original: string): Promise<void> {
  const where = { translationOf: postId };
  const posts = await change.tx.post.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  if (posts.length === 0) return;
  await change.tx.post.updateMany({ where, data: { translationOf: original } });
  change.affectsWritten(...posts.map(({ id }) => id));
}

// A scheduled update requires a published post. The update's text stays as a revision.
async function dropScheduledUpdate(tx: PublicChange['tx'], postId: string): Promise<boolean> {
  return (await tx.scheduledUpdate.deleteMany({ where: { postId } })).count > 0;
}
