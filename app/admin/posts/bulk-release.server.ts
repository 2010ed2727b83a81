import { saveToRelease } from '#app/admin/editor/conflict/save-to-release.server.ts';
import { findPostFor } from '#app/admin/editor/model/find-post.server.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { ActionArguments, ActionResult, Done } from '#app/admin/frame/screen.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { say } from '#app/platform/message.ts';
import type { UnsavedCopy } from '#app/posts/history/unsaved-copy.server.ts';
import {
  undoOf,
  type PostUndo,
  type ReleaseUndo,
  type UndoChange,
} from '#app/publishing/change/undo-change.ts';
import type { ChangePostsResult } from '#app/publishing/posts/change-many.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { rememberUndo } from '#app/publishing/trash/undo.server.ts';
import type { ReleaseItemRow } from '#app/releases/problem.ts';
import type { ItemAction } from '#app/releases/release.ts';
import { showsText, textVersionOf } from '#app/releases/text-version.server.ts';
import type { BulkResult } from './bulk-actions.ts';

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
  const items = await app.db.releaseItem.findMany({ where });
  const before = new Map(items.map((item) => [item.subjectId, item]));
  const savedTexts = new Map<string, PostUndo>();
  const refused: ChangePostsResult['refused'] = [];
  for (const { postId, title, changes, version, at, saved } of copies) {
    const item = before.get(postId);
    // A text of this editor in the release gets the changes. That of somebody else, an archive and a rollback were not
    // shown here.
    const isOwnText = item?.action === 'update' && item.authorId === user.id;
    const textVersion = textVersionOf(isOwnText ? item : null);
    const form = {
      fields: changes,
      version,
      autosavedAt: at,
      releaseId,
      intent: 'save' as const,
      textVersion,
    };
    try {
      const row = await findPostFor(app, user, postId);
      if (row.status === 'published' && item && !showsText(textVersion, item))
        throw new AppError(
          'conflict',
          item.action === 'update'
            ? 'Someone else changed this post in the release. Open it there to combine both.'
            : 'The release archives this post or restores an earlier state. To change it there, remove it from the release first.',
        );
      const { version: newVersion } = await saveToRelease(args, row, form);
      if (row.status !== 'published')
        savedTexts.set(postId, undoOf(row, saved, newVersion, { taken: changes }));
    } catch (error) {
      if (!isAppError(error)) throw error;
      refused.push({ id: postId, title, reason: error.said });
    }
  }
  const changedIds = postIds.filter((id) => !refused.some((post) => post.id === id));
  await addPostsToRelease(app, { releaseId, postIds: changedIds, editorId: user.id });
  const stored = await app.db.releaseItem.findMany({ where, select: { subjectId: true, updatedAt: true } });
  const storedAt = new Map(stored.map(({ subjectId, updatedAt }) => [subjectId, updatedAt]));
  const changes = changedIds.flatMap((id): UndoChange[] => {
    const [former, text] = [before.get(id), savedTexts.get(id)];
    const at = storedAt.get(id);
    if (!at || at.getTime() === former?.updatedAt.getTime()) return text ? [text] : [];
    return [{ release: releaseId, added: id, storedAt: at, former: former && formerChange(former), text }];
  });
  const count = changedIds.filter((id) => !before.has(id)).length;
  const summary =
    count === 1
      ? '1 post added to the release.'
      : say('{number} posts added to the release.', { number: count });
  const undoId = await rememberUndo(app, user.id, summary, { back: `releases/${releaseId}`, changes });
  if (refused.length > 0)
    return { outcome: { changedIds, refused, undo: changes }, undo: undoId ? { id: undoId, summary } : null };
  return { location: adminUrl(adminContext.adminPath, 'releases', releaseId), id: releaseId };
}

function formerChange({
  action,
  fields,
  updatedAt,
}: Pick<ReleaseItemRow, 'action' | 'fields' | 'updatedAt'>): ReleaseUndo['former'] {
  return { action: action as ItemAction, fields, updatedAt };
}
