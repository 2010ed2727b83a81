import { adminUrl } from '#app/admin/admin-url.ts';
import { findPostFor } from '#app/admin/editor/find-post.server.ts';
import { saveToRelease } from '#app/admin/editor/save-to-release.server.ts';
import type { ActionArguments, ActionResult, Done } from '#app/admin/screen.ts';
import { isAppError } from '#app/platform/errors.ts';
import { readStoredFields } from '#app/posts/revision.ts';
import type { UnsavedCopy } from '#app/posts/unsaved-copy.server.ts';
import type { ChangePostsResult } from '#app/publishing/change-posts.server.ts';
import { addPostsToRelease } from '#app/publishing/release-items.server.ts';
import { rememberUndo } from '#app/publishing/undo.server.ts';
import type { BulkResult } from './bulk.server.ts';

/**
 * Adds posts to a release: those with unsaved changes to be used one by one, as the editor saves them to a release, and
 * then all others or, after a failure, none of these.
 */
export async function addToRelease(
  args: ActionArguments,
  releaseId: string,
  { postIds, copies }: { postIds: string[]; copies: UnsavedCopy[] },
): Promise<ActionResult<BulkResult> | Done> {
  const { app, user, adminContext } = args;
  const where = { releaseId, kind: 'post', subjectId: { in: postIds } };
  const items = await app.db.releaseItem.findMany({ where, select: { subjectId: true, fields: true } });
  const storedFields = new Map(items.map(({ subjectId, fields }) => [subjectId, fields]));
  const refused: ChangePostsResult['refused'] = [];
  for (const { postId, title, changes, version, at } of copies) {
    // The post's change in the release stays where the unsaved changes do not replace it.
    const fields = { ...readStoredFields(storedFields.get(postId) ?? '{}'), ...changes };
    const form = { fields, version, autosavedAt: at, releaseId, intent: 'save' as const };
    try {
      await saveToRelease(args, await findPostFor(app, user, postId), form);
    } catch (error) {
      if (!isAppError(error)) throw error;
      refused.push({ id: postId, title, reason: error.message });
    }
  }
  const changedIds = postIds.filter((id) => !refused.some((post) => post.id === id));
  await addPostsToRelease(app, { releaseId, postIds: changedIds, editorId: user.id });
  const added = changedIds.filter((id) => !storedFields.has(id));
  const summary =
    added.length === 1 ? '1 post added to the release.' : `${added.length} posts added to the release.`;
  const changes = added.map((id) => ({ release: releaseId, added: id }));
  const undoId = await rememberUndo(app, user.id, summary, { back: `releases/${releaseId}`, changes });
  if (refused.length > 0)
    return { outcome: { changedIds, refused, undo: changes }, undo: undoId ? { id: undoId, summary } : null };
  return { location: adminUrl(adminContext.adminPath, 'releases', releaseId), id: releaseId };
}
