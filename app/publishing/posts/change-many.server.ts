import { AppError, isAppError, fieldError } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import { oneOf } from '#app/platform/narrow.ts';
import { nameKey } from '#app/platform/text/slug.ts';
import { isStorable, shiftInstant } from '#app/platform/time/time-zone.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { TAGS_MAX } from '#app/posts/fields/schemas.ts';
import { notTrashed, postStatuses } from '#app/posts/fields/states.ts';
import { findUnsavedCopy } from '#app/posts/history/revisions.server.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { undoOf, type UndoChange } from '#app/publishing/change/undo-change.ts';
import type { PostRow } from '#app/publishing/post-row/row.server.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { readUpdateRow } from './schedule-update.server.ts';
import { editPost } from './save.server.ts';
import { trashPost } from './trash.server.ts';

/** Actions on many posts at once. `draft` also cancels the publication of scheduled posts. */
export type BulkIntent = 'publish' | 'schedule' | 'draft' | 'archive' | 'shift' | 'tag' | 'delete';

export interface ChangePostsInput {
  /** In the order in which `schedule` gives them their times. */
  ids: string[];
  intent: BulkIntent;
  /** For `schedule`: the first post's time, and the number of calendar days between posts. */
  schedule?: { firstAt: Date; everyDays: number };
  /** For `shift`: calendar days keep the local time across a clock change. Negative moves earlier. */
  shift?: { days?: number; minutes?: number };
  /** For `tag`: names to add. */
  tags?: string[];
  /**
   * The versions that the editor saw, by id. A post with another version is left unchanged, even if this same form
   * saved it.
   */
  versions?: Record<string, number>;
  /** True: includes the editor's unsaved changes. Otherwise they stay as revisions. */
  useUnsavedChanges?: boolean;
  editorId: string | null;
  /** The editor's network address, for the audit log. */
  address?: string;
}

export interface ChangePostsResult {
  changedIds: string[];
  /** The steps that undo the change. */
  undo: UndoChange[];
  /** Posts that were not changed, with the reason in words for people. */
  refused: { id: string; title: string; reason: Message }[];
}

/** Changes posts one by one, each by the usual rules and in its own transaction. A refusal does not stop the others. */
export async function changePosts(
  app: PublishingContext,
  input: ChangePostsInput,
): Promise<ChangePostsResult> {
  const timeZone = await readSetting(app, 'site_timezone');
  const result: ChangePostsResult = { changedIds: [], undo: [], refused: [] };
  for (const [index, id] of [...new Set(input.ids)].entries()) {
    try {
      result.undo.push(await changeOne(app, id, index, input, timeZone));
      result.changedIds.push(id);
    } catch (error) {
      if (!isAppError(error)) throw error;
      const post = await app.db.post.findUnique({ where: { id }, select: { title: true } });
      result.refused.push({ id, title: post?.title ?? '', reason: error.said });
    }
  }
  return result;
}

async function changeOne(
  app: PublishingContext,
  postId: string,
  index: number,
  input: ChangePostsInput,
  timeZone: string,
): Promise<UndoChange> {
  const { intent, editorId, address } = input;
  const post = await app.db.post.findUnique({ where: { id: postId, ...notTrashed } });
  if (!post) throw postNotFound();
  const seenVersion = input.versions?.[postId];
  if (seenVersion !== undefined && seenVersion !== post.version)
    throw new AppError('conflict', 'Someone else saved it after you opened this page.');
  if (intent === 'delete') {
    const { update } = await trashPost(app, { postId, version: seenVersion, editorId, address });
    return { restore: 'post', id: postId, as: oneOf(postStatuses, post.status), update };
  }
  const update = await readUpdateRow(app.db, postId);
  const before = await readPostFields(app.db, post);
  const copy =
    input.useUnsavedChanges && editorId
      ? await findUnsavedCopy(app, { postId, editorId }, { fields: {} })
      : null;
  const intentFields = await fieldsFor(app, post, copy?.changes.tags, { index, timeZone, input });
  const saved = await editPost(app, {
    postId,
    // Only the version that was read: a post that a trigger published meanwhile is not scheduled again.
    version: copy?.version ?? post.version,
    intent: intent === 'shift' ? 'schedule' : intent === 'tag' ? 'save' : intent,
    fields: { ...copy?.changes, ...intentFields },
    includedUntil: copy?.at,
    editorId,
    address,
  });
  const dropped = saved.status === 'published' ? undefined : update;
  return undoOf(post, before, saved.version, { update: dropped, taken: copy?.changes });
}

/** The fields that the intent changes. `typedTags`: the tags of unsaved changes, which replace those of the post. */
async function fieldsFor(
  app: PublishingContext,
  post: PostRow,
  typedTags: string[] | undefined,
  { index, timeZone, input }: { index: number; timeZone: string; input: ChangePostsInput },
): Promise<Partial<PostFields>> {
  switch (input.intent) {
    case 'shift':
      return shifted(post, input, timeZone);
    case 'schedule':
      return dated(index, input, timeZone);
    case 'tag': {
      const tags = typedTags ?? (await readPostFields(app.db, post)).tags;
      return { tags: withTags(tags, input.tags ?? []) };
    }
    default:
      return {};
  }
}

/** @throws AppError `invalid_input` for more tags than the post's form accepts */
function withTags(present: readonly string[], added: readonly string[]): string[] {
  const presentKeys = new Set(present.map(nameKey));
  const tags = [...present, ...added.filter((name) => !presentKeys.has(nameKey(name)))];
  if (tags.length > TAGS_MAX)
    throw fieldError('tags', say('A post has at most {most} tags.', { most: TAGS_MAX }));
  return tags;
}

function shifted(
  post: { status: string; publishedAt: Date | null; archiveAt: Date | null },
  { shift }: ChangePostsInput,
  timeZone: string,
) {
  const { publishedAt, archiveAt } = post;
  if (post.status !== 'scheduled' || !publishedAt)
    throw fieldError('publishedAt', 'Only a scheduled post has a time that can be shifted.');
  const moved = (time: Date) => requireStorable(shiftInstant(time, shift ?? {}, timeZone));
  return { publishedAt: moved(publishedAt), archiveAt: archiveAt && moved(archiveAt) };
}

function dated(index: number, { schedule }: ChangePostsInput, timeZone: string) {
  if (!schedule) throw fieldError('publishedAt', 'Publication time must be in the future.');
  const publishedAt = shiftInstant(schedule.firstAt, { days: index * schedule.everyDays }, timeZone);
  return { publishedAt: requireStorable(publishedAt) };
}

function requireStorable(instant: Date): Date {
  if (isStorable(instant)) return instant;
  throw fieldError('publishedAt', 'Enter a date and time such as 2026-11-20T08:00.');
}
