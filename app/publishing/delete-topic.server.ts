import { writeAudit, type By } from '#app/auth/audit.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { changePublicContent, type DoorApp } from './public-change.server.ts';
import { moveTopicAddresses, publishedPostsOf, requireTopic } from './topics.server.ts';

/**
 * Deletes a category. Its posts, and its addresses, go to another one; with `heirId` null the posts are
 * left without a category and the addresses end.
 * @throws AppError `not_found`; `invalid_input` on `heirId`.
 */
export async function deleteCategory(
  app: DoorApp,
  by: By,
  input: { id: string; heirId: string | null },
): Promise<void> {
  const { id, heirId } = input;
  await changePublicContent(app, async ({ tx, now, touch }) => {
    const category = await requireTopic(tx, 'category', id);
    const heir = heirId === null ? null : await tx.category.findUnique({ where: { id: heirId } });
    if (heirId !== null && (!heir || heirId === id)) {
      const message = 'Choose the category that gets the posts.';
      throw new AppError('invalid_input', message, { fields: { heirId: [message] } });
    }
    touch(...(await publishedPostsOf(tx, 'category', id)));
    const { count } = await tx.post.updateMany({
      where: { categoryId: id },
      data: { categoryId: heirId, updatedAt: now },
    });
    if (heirId !== null) await moveTopicAddresses(tx, 'category', category, heirId, now);
    await tx.category.delete({ where: { id } });
    const details = count === 0 ? '' : `${count} posts to ${heir?.name ?? 'no category'}`;
    await writeAudit(tx, app.clock, { action: 'category.deleted', by, subject: category.name, details });
  });
}

/** Deletes a tag; its posts stay without it. @throws AppError `not_found`. */
export async function deleteTag(app: DoorApp, by: By, id: string): Promise<void> {
  await changePublicContent(app, async ({ tx, touch }) => {
    const tag = await requireTopic(tx, 'tag', id);
    touch(...(await publishedPostsOf(tx, 'tag', id)));
    await tx.tag.delete({ where: { id } });
    await writeAudit(tx, app.clock, { action: 'tag.deleted', by, subject: tag.name });
  });
}
