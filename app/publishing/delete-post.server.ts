import { writeAudit } from '#app/auth/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { byEditor } from './audit-post.server.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';

/**
 * Deletes a post with its revisions, redirects, scheduled update and preview links.
 * @throws AppError `not_found`; `conflict` when a version is given and the post has changed since.
 */
export async function deletePost(
  app: PublishingContext,
  input: { postId: string; version?: number; editorId?: string | null; address?: string },
): Promise<{ id: string; title: string }> {
  return changePublicContent(app, async ({ tx, affects }) => {
    const { postId, version, editorId = null } = input;
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
}
