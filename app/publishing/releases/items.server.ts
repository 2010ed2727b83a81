import { newId, newIds } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { fieldError, invalidInput } from '#app/platform/errors.ts';
import { inChunks, inSteps, ROWS_A_STEP } from '#app/platform/jobs/event-loop.server.ts';
import { say } from '#app/platform/message.ts';
import { pickFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { storeText } from '#app/posts/terms/references.server.ts';
import {
  changeHidden,
  type HiddenChange,
  type PublishingContext,
} from '#app/publishing/change/public-change.server.ts';
import { presentAuthorNames, presentTagNames } from '#app/publishing/post-row/tags-and-authors.server.ts';
import { keepTyped, writeTextRevision, storeIfRejected } from '#app/publishing/post-row/kept-texts.server.ts';
import { renderChangedBody } from '#app/publishing/post-row/body.server.ts';
import { restoreNamedMedia } from '#app/publishing/post-row/restore-named-media.server.ts';
import { endAutosaves } from '#app/publishing/post-row/history.server.ts';
import {
  readPost,
  resolveReferences,
  withoutOldCoverAlt,
  savedMeanwhile,
} from '#app/publishing/post-row/row.server.ts';
import { withFormValues, type TypedFields } from '#app/publishing/post-row/times.ts';
import { checkItems } from '#app/releases/check-release.server.ts';
import { readPostChange, showsText, textVersionOf } from '#app/releases/post-change.server.ts';
import { readRelease } from '#app/releases/queries.server.ts';
import { ITEMS_MAX } from '#app/releases/release.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { lockRelease, type NewItem, insertReleaseItems } from './edit.server.ts';

/**
 * Adds posts to a release. The release publishes an unpublished post; a published one is added as an update that has no
 * changes yet. A post that is already in the release stays unchanged.
 * @returns the posts that were not in it
 * @throws AppError `not_found`, `conflict` for the release; `invalid_input` for posts that do not exist
 */
export async function addPostsToRelease(
  app: PublishingContext,
  input: { releaseId: string; postIds: string[]; editorId: string | null },
): Promise<string[]> {
  return changeHidden(app, async (change) => {
    await lockRelease(change, input.releaseId);
    const { releaseId, postIds, editorId } = input;
    const posts = await inSteps(postIds, ROWS_A_STEP, (chunk) =>
      change.tx.post.findMany({
        where: { id: { in: chunk }, ...notTrashed },
        select: { id: true, status: true },
      }),
    );
    if (posts.length < postIds.length) throw fieldError('add', 'One of the chosen posts no longer exists.');
    const existing = await change.tx.releaseItem.findMany({
      where: { releaseId, kind: 'post' },
      select: { subjectId: true },
    });
    const present = new Set(existing.map(({ subjectId }) => subjectId));
    const statusOf = new Map(posts.map(({ id, status }) => [id, status]));
    const added = postIds.filter((id) => !present.has(id));
    const ids = newIds(app.clock, added.length);
    const rows = added.map((subjectId, index) => ({
      id: ids[index]!,
      releaseId,
      kind: 'post',
      subjectId,
      action: statusOf.get(subjectId) === 'published' ? 'update' : 'publish',
      fields: '{}',
      undo: null,
      authorId: editorId,
      createdAt: change.now,
      updatedAt: change.now,
    }));
    await insertReleaseItems(app, change, rows);
    await requireRoom(change, releaseId);
    return added;
  });
}

/**
 * Removes changes from a release, by the id of the change or of what it changes. Ignores ids that are not in it.
 *
 * @throws AppError `not_found`, `conflict`
 */
export async function removeFromRelease(
  app: PublishingContext,
  input: { releaseId: string; ids: string[] },
): Promise<void> {
  await changeHidden(app, async (change) => {
    await lockRelease(change, input.releaseId);
    const { releaseId, ids } = input;
    for (const chunk of inChunks(ids, ROWS_A_STEP)) {
      const named = [{ id: { in: chunk } }, { subjectId: { in: chunk } }];
      await change.tx.releaseItem.deleteMany({ where: { releaseId, OR: named } });
    }
  });
}

/** Absent fields stay as they are in the release. */
export interface PostChangeInput extends TypedFields {
  releaseId: string;
  /** The text version that the form shows (`textVersionOf`); absent for a script. */
  textVersion?: string;
}

/**
 * Stores new fields of a published post as its change in a release. Stores only those that differ from the live post,
 * so that the release does not undo later corrections of the other fields.
 * @throws AppError `not_found`; `conflict` for another `version` or `textVersion` (the fields are kept as a revision);
 *   `invalid_input`
 */
export async function keepChangeInRelease(
  app: PublishingContext,
  input: PostChangeInput,
): Promise<{ version: number; textVersion: string }> {
  const { postId } = input;
  const settings = await readSettings(app);
  // Renders the text now, to refuse one that takes too long: it would block the whole release.
  await renderChangedBody({ ...app, settings }, postId, input.fields);
  const kept = changeHidden(app, async (change) => {
    const { tx } = change;
    await lockRelease(change, input.releaseId);
    const current = await readPost(tx, input);
    const live = await readPostFields(tx, current);
    const shown = { ...live, ...(await readPostChange(tx, input)) };
    const typed = withFormValues(shown, input.fields, settings.site_timezone, input.exactTimes);
    const tags = await presentTagNames(tx, typed.tags);
    const authors = await presentAuthorNames(tx, typed.authors);
    const asked = { ...withoutOldCoverAlt(shown, typed), tags, authors };
    const requested = await resolveReferences(tx, asked, live);
    if (requested.title === '') throw fieldError('title', 'Title is required.');
    const changed = changedFields(live, requested);
    const fields = await storeText(tx, pickFields(requested, changed));
    const item = { kind: 'post', subjectId: postId, action: 'update', fields } as const;
    const textVersion = await requireTextVersion(change, input, item);
    await writeItems(app, change, input, [item]);
    await restoreNamedMedia(tx, app.clock, requested, input);
    const moving = (['slug', 'parentId', 'type'] as const).find((name) => changed.includes(name));
    if (moving) await requireFreeAddress(change, input, moving === 'parentId' ? moving : 'slug');
    await writeTextRevision(app, tx, input, requested);
    await endAutosaves(tx, input, input.includedUntil);
    return { version: current.version, textVersion };
  });
  return kept.catch(storeIfRejected(app, input));
}

/** Rejects an address that another post or another change of the release has: it would block the release. */
async function requireFreeAddress(
  { tx }: HiddenChange,
  { releaseId, postId }: Pick<PostChangeInput, 'releaseId' | 'postId'>,
  field: 'slug' | 'parentId',
): Promise<void> {
  const { items } = await readRelease({ db: tx }, releaseId);
  const item = items.find(({ kind, subjectId }) => kind === 'post' && subjectId === postId);
  const problems = (await checkItems(tx, items, null)).filter(({ itemId }) => itemId === item?.id);
  // A page that becomes a post may be saved before the pages below it are moved.
  const found = problems.find((problem) => problem.field !== 'type');
  if (found) throw fieldError(found.field ?? field, found.problem);
}

/**
 * Adds the archiving of a published post to a release. The release then changes no field: what was typed in the same
 * form stays as a revision.
 * @throws as `keepChangeInRelease`
 */
export async function archivePostInRelease(
  app: PublishingContext,
  input: Omit<PostChangeInput, 'fields'> & Partial<Pick<PostChangeInput, 'fields'>>,
): Promise<{ version: number; textVersion: string }> {
  const { fields } = input;
  const { site_timezone: timeZone } = await readSettings(app);
  const archived = changeHidden(app, async (change) => {
    await lockRelease(change, input.releaseId);
    const current = await readPost(change.tx, input);
    const item = { kind: 'post', subjectId: input.postId, action: 'archive', fields: '{}' } as const;
    const textVersion = await requireTextVersion(change, input, item);
    if (fields) await keepTyped(app, change.tx, { ...input, fields }, { current, timeZone });
    await writeItems(app, change, input, [item]);
    return { version: current.version, textVersion };
  });
  return archived.catch(storeIfRejected(app, { ...input, fields: fields ?? {} }));
}

/** Writes changes into a release that the transaction has locked. Each replaces an earlier change of the same subject. */
export async function writeItems(
  app: Pick<PublishingContext, 'clock'>,
  { tx, now }: HiddenChange,
  { releaseId, editorId }: { releaseId: string; editorId: string | null },
  items: NewItem[],
): Promise<void> {
  if (items.length === 0) return;
  for (const { kind, subjectId, action, fields = '{}' } of items) {
    const data = { action, fields, authorId: editorId, updatedAt: now };
    await tx.releaseItem.upsert({
      where: { releaseId_kind_subjectId: { releaseId, kind, subjectId } },
      create: { ...data, id: newId(app.clock), releaseId, kind, subjectId, createdAt: now },
      update: data,
    });
  }
  await requireRoom({ tx }, releaseId);
}

/** @param adding changes that are about to be added. @throws AppError `invalid_input` */
export async function requireRoom(
  { tx }: { tx: Pick<Transaction, 'releaseItem'> },
  releaseId: string,
  adding = 0,
): Promise<void> {
  if ((await tx.releaseItem.count({ where: { releaseId } })) + adding > ITEMS_MAX)
    throw invalidInput(say('A release holds at most {most} changes.', { most: ITEMS_MAX }));
}

/**
 * Rejects a save to a release that would replace what was stored there since the form was opened. The transaction has
 * locked the release.
 * @param input.textVersion the text version that the form shows; absent for a script
 * @param wanted what the save stores. A release that has just that got it from the same form, sent twice.
 * @returns the text version of what the save stores
 * @throws AppError `conflict`
 */
async function requireTextVersion(
  { tx }: HiddenChange,
  input: { postId: string; releaseId: string; textVersion?: string },
  wanted: Required<Pick<NewItem, 'action' | 'fields'>>,
): Promise<string> {
  const { postId: subjectId, releaseId, textVersion } = input;
  const stored = textVersionOf({ releaseId, ...wanted });
  if (textVersion === undefined) return stored;
  const item = await tx.releaseItem.findUnique({
    where: { releaseId_kind_subjectId: { releaseId, kind: 'post', subjectId } },
    select: { releaseId: true, action: true, fields: true },
  });
  if (item && textVersionOf(item) !== stored && !showsText(textVersion, item)) throw savedMeanwhile();
  return stored;
}
