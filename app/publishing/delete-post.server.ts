import { writeAudit } from '#app/auth/audit.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import type { PostFields } from '#app/posts/fields.ts';
import { byEditor } from './audit-post.server.ts';
import { keepLostSave } from './keep-lost-save.server.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';

/**
 * Deletes a post with its revisions, redirects, scheduled update and preview links.
 * @param input.version what the editor had open; absent to delete whatever is there
 * @param input.typed what the form brought along: kept as a revision when the post stays
 * @throws AppError `not_found`; `conflict` when the post has changed since the version.
 */
export async function deletePost(
  app: PublishingContext,
  input: {
    postId: string;
    version?: number;
    typed?: Partial<PostFields>;
    editorId?: string | null;
    address?: string;
  },
): Promise<{ id: string; title: string }> {
  const { postId, version, typed = {}, editorId = null } = input;
  const deleted = changePublicContent(app, async ({ tx, affects }) => {
    const post = await tx.post.findUnique({ where: { id: postId }, select: { id: true, title: true } });
    if (!post) throw new AppError('not_found', 'This post no longer exists.');
    const { count } = await tx.post.deleteMany({ where: { id: postId, version } });
    if (count > 0) {
      affects(postId);
      const by = await byEditor(tx, editorId, input.address);
      await writeAudit(tx, app.clock, { action: 'post.deleted', by, subject: post.title });
      return post;
    }
    const present = await tx.post.findUnique({ where: { id: postId }, select: { id: true } });
    throw present
      ? new AppError('conflict', 'Somebody saved this post after you had opened it.')
      : new AppError('not_found', 'This post no longer exists.');
  });
  return deleted.catch(async (error: unknown) => {
    if (isAppError(error) && error.code === 'conflict')
      await keepLostSave(app, { postId, version, fields: typed, editorId });
    throw error;
  });
}
