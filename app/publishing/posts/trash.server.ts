import { writeAudit } from '#app/people/audit/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { type PostFields, emptyPostFields } from '#app/posts/fields/fields.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { intentFor, TRASHED, type PostStatus } from '#app/posts/fields/states.ts';
import {
  forgetReleaseProblems,
  changePublicContent,
  PostOvertaken,
  type PublishingContext,
  putIntoTrash,
} from '#app/publishing/change/public-change.server.ts';
import type { UpdateRow } from '#app/publishing/change/undo-change.ts';
import { byEditor } from '#app/publishing/post-row/history.server.ts';
import { storeIfRejected } from '#app/publishing/post-row/kept-texts.server.ts';
import { restoreNamedMedia } from '#app/publishing/post-row/restore-named-media.server.ts';
import { missingReferences, readPost } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { readUpdateRow, rescheduleUpdate } from './schedule-update.server.ts';
import type { SavedPost } from './save.server.ts';

/**
 * Moves a post to the trash: readers, lists and triggers no longer see it, and its addresses stay reserved. A scheduled
 * update is dropped; its text stays as a revision.
 * @param input.version the version that the editor had open; absent: any
 * @param input.typed the form's fields: kept as a revision when the deletion is refused
 * @returns `update`: the scheduled update that was dropped
 * @throws AppError `not_found`; `conflict` when the post has changed since the version.
 */
export async function trashPost(
  app: PublishingContext,
  input: {
    postId: string;
    version?: number;
    typed?: Partial<PostFields>;
    editorId?: string | null;
    address?: string;
  },
): Promise<{ id: string; version: number; update: UpdateRow | undefined }> {
  const { postId, version, typed = {}, editorId = null } = input;
  const trashed = changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const post = await readPost(tx, { postId, version });
    const { count } = await tx.post.updateMany({
      where: { id: postId, version: post.version },
      data: { status: TRASHED, version: { increment: 1 }, updatedAt: now },
    });
    if (count === 0) throw new PostOvertaken();
    const update = await readUpdateRow(tx, postId);
    await tx.scheduledUpdate.deleteMany({ where: { postId } });
    const { title, authorId: ownerId, status } = post;
    const item = { id: postId, kind: 'post' as const, title, ownerId, details: JSON.stringify({ status }) };
    await putIntoTrash(tx, { ...item, trashedById: editorId, trashedAt: now });
    const by = await byEditor(tx, editorId, input.address);
    await writeAudit(tx, app.clock, { action: 'post.trashed', by, subject: title });
    change.affectsWritten(...(status === 'published' ? [postId] : []));
    return { id: postId, version: post.version + 1, update };
  });
  return trashed.catch(storeIfRejected(app, { postId, version, fields: typed, editorId }));
}

/**
 * Restores a post from the trash.
 * @param input.as the state of the restored post: draft, unless the deletion is undone
 * @param input.update the scheduled update that the deletion dropped
 * @throws AppError `not_found` when it is no longer in the trash.
 */
export async function restorePost(
  app: PublishingContext,
  input: {
    postId: string;
    as?: PostStatus;
    update?: UpdateRow;
    editorId: string | null;
    address?: string;
  },
): Promise<SavedPost> {
  const { postId, as = 'draft', editorId, address } = input;
  const settings = await readSettings(app);
  return changePublicContent(app, async (change) => {
    const { tx } = change;
    const current = await tx.post.findUnique({ where: { id: postId, status: TRASHED } });
    if (!current) throw new AppError('not_found', 'This post is not in the trash any more.');
    const before = await readPostFields(tx, current);
    await forgetReleaseProblems(tx);
    await restoreNamedMedia(tx, app.clock, before, input);
    const requested = { ...before };
    // Leaves out references to rows that were deleted meanwhile.
    for (const name of await missingReferences(tx, requested)) requested[name] = emptyPostFields[name];
    await tx.trashItem.deleteMany({ where: trashEntries('post', postId) });
    const restored = await writePost(app, change, {
      current,
      before,
      requested,
      rendered: undefined,
      intent: intentFor[as],
      kind: 'restore',
      editorId,
      address,
      settings,
      times: { publishedAt: before.publishedAt, archiveAt: as === 'archived' ? null : before.archiveAt },
      reason: 'Restored from the trash',
    });
    await rescheduleUpdate(tx, restored, input.update);
    return restored;
  });
}
