import { removeCards } from '#app/media/library/social-cards.server.ts';
import { writeAudit } from '#app/people/audit/audit.server.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { postNotFound } from '#app/posts/not-found.ts';
import { forgetReleaseProblems } from '#app/publishing/change/forget-release-problems.server.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { byEditor } from '#app/publishing/post-row/audit.server.ts';

/**
 * Deletes a post for good, with its revisions, redirects, scheduled update and preview links. This frees its addresses.
 * Editors can do so only in the trash.
 * @param input.status only deletes a post in that state
 * @throws AppError `not_found`.
 */
export async function deletePost(
  app: PublishingContext,
  input: { postId: string; status?: string; editorId?: string | null; address?: string },
): Promise<{ id: string; title: string }> {
  const { postId, status, editorId = null } = input;
  const deleted = await changePublicContent(app, async ({ tx, affects }) => {
    const post = await tx.post.findUnique({
      where: { id: postId, status },
      select: { id: true, title: true, status: true },
    });
    if (!post) throw postNotFound();
    await forgetReleaseProblems(tx);
    await tx.post.deleteMany({ where: { id: postId, status } });
    await tx.trashItem.deleteMany({ where: trashEntries('post', postId) });
    affects(...(post.status === 'published' ? [postId] : []));
    const by = await byEditor(tx, editorId, input.address);
    await writeAudit(tx, app.clock, { action: 'post.deleted', by, subject: post.title });
    return post;
  });
  // When the store does not answer, the card stays there unused.
  await removeCards(app.mediaStore, postId).catch((error: unknown) => {
    app.log.warn({ err: error, postId }, 'The social card of a deleted post was not removed');
  });
  return deleted;
}
