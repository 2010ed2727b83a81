import { say } from '#app/platform/message.ts';
import { readPostFields } from '#app/posts/fields/read.server.ts';
import { readRevision } from '#app/posts/history/revisions.server.ts';
import { readPresentFields } from '#app/posts/terms/references.server.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { renderBody } from '#app/publishing/post-row/body.server.ts';
import { readPost, missingReferences } from '#app/publishing/post-row/row.server.ts';
import { writePost } from '#app/publishing/post-row/write.server.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import type { SavedPost } from './save.server.ts';

/**
 * Writes a revision's fields to its post, as a new revision. Address, type, times and state stay: an old text must not
 * move a post. Tags, category and authors are what became of those of the revision. If its category or image no longer
 * exists, the post keeps its present one.
 * @param input.version the version that the editor had open; absent: any
 * @throws AppError `not_found`; `conflict`; `invalid_input` when the post's state does not allow a save.
 */
export async function restoreRevision(
  app: PublishingContext,
  input: { postId: string; revisionId: string; version?: number; editorId: string | null },
): Promise<SavedPost> {
  const { postId, revisionId, editorId } = input;
  const revision = await readRevision(app, postId, revisionId);
  const rendered = await renderBody(app, revision.fields.body, revision.fields.language);
  const settings = await readSettings(app);
  return changePublicContent(app, async (change) => {
    const current = await readPost(change.tx, input);
    const before = await readPostFields(change.tx, current);
    const { slug, type, parentId, publishedAt, archiveAt } = before;
    const present = await readPresentFields(change.tx, revision);
    const requested = { ...revision.fields, ...present, slug, type, parentId, publishedAt, archiveAt };
    if (revision.fields.categoryId && !requested.categoryId) requested.categoryId = before.categoryId;
    for (const name of await missingReferences(change.tx, requested)) requested[name] = before[name];
    return writePost(app, change, {
      current,
      before,
      requested,
      rendered,
      intent: 'save',
      kind: 'restore',
      editorId,
      settings,
      reason: say('Restored from version {version}', { version: revision.postVersion }),
      waiting: { onConflict: 'ask' },
    });
  });
}
