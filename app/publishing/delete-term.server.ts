import { writeAudit, type By } from '#app/auth/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';
import { moveTermAddresses, publishedPostsOf, requireTerm } from './terms.server.ts';

/**
 * Deletes a category. Its posts, and its addresses, go to another one; with `heirId` null the posts are
 * left without a category and the addresses end.
 * @throws AppError `not_found`; `invalid_input` on `heirId`.
 */
export async function deleteCategory(
  app: PublishingContext,
  by: By,
  input: { id: string; heirId: string | null },
): Promise<void> {
  const { id, heirId } = input;
  await changePublicContent(app, async ({ tx, now, affects }) => {
    const category = await requireTerm(tx, 'category', id);
    const heir = heirId === null ? null : await tx.category.findUnique({ where: { id: heirId } });
    if (heirId !== null && (!heir || heirId === id)) {
      const message = 'Choose the category that gets the posts.';
      throw new AppError('invalid_input', message, { fields: { heirId: [message] } });
    }
    affects(...(await publishedPostsOf(tx, 'category', id)));
    const { count } = await tx.post.updateMany({
      where: { categoryId: id },
      data: { categoryId: heirId, updatedAt: now },
    });
    if (heirId !== null) await moveTermAddresses(tx, 'category', category, heirId, now);
    await tx.category.delete({ where: { id } });
    const details = count === 0 ? '' : `${count} posts to ${heir?.name ?? 'no category'}`;
    await writeAudit(tx, app.clock, { action: 'category.deleted', by, subject: category.name, details });
  });
}

/** Deletes a tag; its posts stay without it. @throws AppError `not_found`. */
export async function deleteTag(app: PublishingContext, by: By, id: string): Promise<void> {
  await changePublicContent(app, async ({ tx, affects }) => {
    const tag = await requireTerm(tx, 'tag', id);
    affects(...(await publishedPostsOf(tx, 'tag', id)));
    await tx.tag.delete({ where: { id } });
    await writeAudit(tx, app.clock, { action: 'tag.deleted', by, subject: tag.name });
  });
}
