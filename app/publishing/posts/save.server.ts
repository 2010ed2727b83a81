import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError, isAppError, fieldError } from '#app/platform/errors.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { type PostFields, emptyPostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import {
  firstSeenAt,
  nextStatus,
  type PostStatus,
  postStatuses,
  SCHEDULED_TEXT,
  type StateIntent,
} from '#app/posts/fields/states.ts';
import { changedFields } from '#app/posts/fields/stored.ts';
import { hasOpenedText } from '#app/posts/history/revisions.server.ts';
import { readScheduledUpdate } from '#app/posts/history/scheduled-update.server.ts';
import { ownSlug } from '#app/posts/paths.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { claimAddress } from '#app/publishing/post-row/addresses.server.ts';
import { rememberEmbeds, renderBody, renderChangedBody } from '#app/publishing/post-row/body.server.ts';
import {
  auditPostState,
  endAutosaves,
  endIncludedAutosaves,
  writeRevision,
} from '#app/publishing/post-row/history.server.ts';
import { storeRejectedSave, mergeWaitingBodies } from '#app/publishing/post-row/kept-texts.server.ts';
import { restoreNamedMedia } from '#app/publishing/post-row/restore-named-media.server.ts';
import {
  columnsOf,
  readPost,
  resolveReferences,
  savedMeanwhile,
  withoutOldCoverAlt,
  type PostRow,
} from '#app/publishing/post-row/row.server.ts';
import {
  presentAuthorNames,
  resolveAuthors,
  setPostAuthors,
  presentTagNames,
  setPostTags,
} from '#app/publishing/post-row/tags-and-authors.server.ts';
import { resolveTimes, withFormValues, type ExactTimes } from '#app/publishing/post-row/times.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { ensureCategory } from '#app/publishing/terms/save.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';

interface SavePostInput {
  intent: StateIntent;
  /** Absent fields stay unchanged. */
  fields: Partial<PostFields>;
  /** Who saves; null for a command. */
  editorId: string | null;
  /** The editor's network address, for the audit log. */
  address?: string;
  /** The editor agrees to take over an old address of another post. */
  takeOverSlug?: boolean;
}

interface CreatePostInput extends SavePostInput {
  /** The new post's id, if the form has chosen it: a form that is sent twice then creates one post. */
  id?: string;
  /**
   * The slug is made from the title again at each save, until an editor sets one or the post is published. For posts
   * that autosave creates.
   */
  slugFollowsTitle?: boolean;
}

export interface EditPostInput extends SavePostInput {
  postId: string;
  /** The version that the editor had open; absent: any. */
  version?: number;
  /** `draft`: an autosave of a draft. */
  kind?: 'save' | 'draft';
  /** `fields` contains the editor's unsaved changes up to this time. */
  includedUntil?: Date;
  exactTimes?: ExactTimes;
  /** True: `fields` are those of the scheduled text, which the save makes public now. */
  isScheduledText?: boolean;
  /** What the scheduled update gets where `fields` change the same text (`scheduledTextsOf`). */
  scheduledFields?: Partial<PostFields>;
  /** True: the editor's unsaved changes, which the save does not include, stay what they are. */
  keepsUnsavedChanges?: boolean;
  /** The name of the category that replaces the one in `fields`. It is created with the change if there is none. */
  newCategory?: string;
}

export interface SavedPost {
  id: string;
  slug: string;
  status: PostStatus;
  version: number;
}

/**
 * Creates a post.
 * @throws AppError `invalid_input` with field errors; `conflict` when a post with the given id exists. In both cases
 *   nothing was written.
 */
export async function createPost(app: PublishingContext, input: CreatePostInput): Promise<SavedPost> {
  const fields = { ...emptyPostFields, ...input.fields };
  if (fields.title === '') throw fieldError('title', 'Title is required.');
  const settings = await readSettings(app);
  await rememberEmbeds(app, fields.body, settings);
  const rendered = await renderBody({ ...app, settings }, fields.body, fields.language);
  return changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const { id = newId(app.clock), intent } = input;
    if (input.id && (await tx.post.findUnique({ where: { id }, select: { id: true } })))
      throw new AppError('conflict', 'This post already exists.');
    const status = nextStatus('draft', intent);
    const before = { publishedAt: null, archiveAt: null };
    const times = resolveTimes({ from: 'draft', to: status, intent, before, requested: fields, now });
    const { takeOverSlug } = input;
    const address = await claimAddress(change, {
      postId: id,
      fields,
      takeOverSlug,
      editorId: input.editorId,
    });
    const authors = await resolveAuthors(tx, fields.authors);
    const saved = {
      ...(await resolveReferences(tx, fields, null)),
      ...times,
      slug: ownSlug(address),
      authors: authors.map(({ name }) => name),
    };
    await tx.post.create({
      data: {
        ...columnsOf(saved, rendered, { slug: address, settings }),
        id,
        status,
        hasBeenPublic: status === 'published',
        slugFollowsTitle: input.slugFollowsTitle === true && fields.slug === '',
        authorId: input.editorId,
        contentUpdatedAt: status === 'published' ? firstSeenAt(times.publishedAt, now) : now,
        createdAt: now,
        updatedAt: now,
      },
    });
    await restoreNamedMedia(tx, app.clock, saved, input);
    saved.tags = await setPostTags(tx, app.clock, id, fields.tags);
    if (authors.length > 0) await setPostAuthors(tx, id, authors);
    await writeRevision(tx, app.clock, {
      postId: id,
      postVersion: 1,
      kind: 'save',
      authorId: input.editorId,
      fields: saved,
      summary: 'Created',
      outcome: { changed: [], from: 'draft', to: status },
    });
    await auditPostState(tx, app.clock, { ...input, title: fields.title, from: null, to: status });
    change.affectsWritten(...(status === 'published' ? [id] : []));
    return { id, slug: saved.slug, status, version: 1 };
  });
}

/**
 * Saves an edit and changes the post's state as the intent says.
 * @throws AppError `not_found`; `invalid_input` with field errors: nothing was written; `conflict` when the post has
 *   changed since the version that the editor had open: only the fields were written, as a revision.
 */
export async function editPost(app: PublishingContext, input: EditPostInput): Promise<SavedPost> {
  const { kind = 'save' } = input;
  const settings = await readSettings(app);
  if (kind === 'save') await rememberEmbeds(app, input.fields.body ?? '', settings);
  const rendered = await renderChangedBody({ ...app, settings }, input.postId, input.fields);
  const { scheduledFields = {} } = input;
  const releaseId = input.isScheduledText ? SCHEDULED_TEXT : undefined;
  // Rendered to refuse a text that takes too long, as the trigger would have to.
  await renderChangedBody({ ...app, settings }, input.postId, scheduledFields);
  const bodies = await mergeWaitingBodies(app, input.postId, input.fields.body);
  try {
    return await changePublicContent(app, async (change) => {
      const current = await readPost(change.tx, { postId: input.postId });
      const before = await readPostFields(change.tx, current);
      if (!(await isUpToDate(change.tx, input, current, before))) throw savedMeanwhile();
      const { newCategory } = input;
      const fields = newCategory
        ? { ...input.fields, categoryId: await ensureCategory(app, change, newCategory) }
        : input.fields;
      const shown = input.isScheduledText ? { ...before, ...(await takeUpdate(change.tx, current)) } : before;
      const typed = withFormValues(shown, fields, settings.site_timezone, input.exactTimes);
      const requested = withoutOldCoverAlt(shown, typed);
      if (kind === 'draft') await endIncludedAutosaves(change.tx, input, input.includedUntil);
      if (kind === 'draft' && changesNothing(before, requested)) {
        change.affects();
        const { id, status, version } = current;
        return { id, status: oneOf(postStatuses, status), version, slug: before.slug };
      }
      const saved = await writePost(app, change, {
        ...input,
        current,
        before,
        requested,
        rendered,
        settings,
        kind,
        waiting: { onConflict: 'ask', chosen: await resolveNames(change.tx, scheduledFields), bodies },
      });
      if (kind === 'save' && !input.keepsUnsavedChanges)
        await endAutosaves(change.tx, { ...input, releaseId }, input.includedUntil);
      return saved;
    });
  } catch (error) {
    if (kind === 'save' && isAppError(error) && error.code === 'conflict')
      await storeRejectedSave(app, { ...input, releaseId });
    throw error;
  }
}

/** Ends the scheduled update of a post. @returns what it changes */
async function takeUpdate(tx: Transaction, { id: postId }: PostRow): Promise<Partial<PostFields>> {
  const update = await readScheduledUpdate({ db: tx }, postId);
  if (!update?.fields) throw new AppError('not_found', 'This post has no scheduled update any more.');
  await tx.scheduledUpdate.delete({ where: { postId } });
  return update.fields;
}

/** False when somebody has saved, since the editor opened the post, what this save would overwrite. */
async function isUpToDate(
  tx: Transaction,
  { version, intent, kind }: EditPostInput,
  current: PostRow,
  live: PostFields,
): Promise<boolean> {
  if (version === undefined || version === current.version) return true;
  if (intent !== 'save' || kind === 'draft') return false;
  return hasOpenedText({ db: tx }, current, { version, live });
}

/** The fields with the names that their tags and authors have now. */
async function resolveNames(tx: Transaction, fields: Partial<PostFields>): Promise<Partial<PostFields>> {
  const { tags, authors } = fields;
  return {
    ...fields,
    ...(tags && { tags: await presentTagNames(tx, tags) }),
    ...(authors && { authors: await presentAuthorNames(tx, authors) }),
  };
}

/**
 * True for an autosave without changes. A page sends its form when the editor leaves it; a new version would cause a
 * conflict on the next page.
 */
function changesNothing(before: PostFields, requested: PostFields): boolean {
  const slug = requested.slug || toSlug(requested.title);
  return changedFields(before, { ...requested, slug }).length === 0;
}
