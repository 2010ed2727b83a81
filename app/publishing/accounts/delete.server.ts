import { keepingAnAdministrator } from '#app/people/accounts/last-administrator.server.ts';
import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { revokePreviews } from '#app/people/tokens.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { postsWithAuthor } from '#app/publishing/post-row/authors.server.ts';

/**
 * Deletes an account. Its posts get another author, or none (`heirId` null).
 * @throws AppError `not_found`; `conflict` for the last administrator; `invalid_input` on `heirId`.
 */
export async function deleteUser(
  app: PublishingContext,
  by: By,
  input: { userId: string; heirId: string | null },
): Promise<void> {
  const { userId, heirId } = input;
  await changePublicContent(app, async ({ tx, now, affects, affectsEveryPage, recordTexts }) => {
    const user = await tx.user.findUnique({ where: { id: userId } });
    if (!user) throw new AppError('not_found', 'This account no longer exists.');
    const newAuthor = heirId === null ? null : await tx.user.findUnique({ where: { id: heirId } });
    if (heirId !== null && (!newAuthor || heirId === userId)) {
      throw fieldError('heirId', 'Choose an author for the posts.');
    }
    const posts = await tx.post.findMany({
      where: postsWithAuthor(userId),
      select: { id: true },
    });
    // Posts that name the account as an author keep its name, as the name of a guest.
    await tx.postAuthor.updateMany({ where: { userId }, data: { userId: null, name: user.displayName } });
    await tx.post.updateMany({ where: { authorId: userId }, data: { authorId: heirId, updatedAt: now } });
    affects(...posts.map(({ id }) => id));
    affectsEveryPage();
    // Changes that wait and earlier revisions name the account too.
    const { username, displayName } = user;
    recordTexts('author', userId, { username, displayName }, { username: null, displayName: null });
    await revokePreviews(tx, app.clock, userId);
    await keepingAnAdministrator(tx, () => tx.user.delete({ where: { id: userId } }));
    const subject = `${user.displayName} <${user.email}>`;
    const details =
      posts.length === 0 ? '' : `${posts.length} posts to ${newAuthor?.displayName ?? 'no author'}`;
    await writeAudit(tx, app.clock, { action: 'user.deleted', by, subject, details });
  });
}
