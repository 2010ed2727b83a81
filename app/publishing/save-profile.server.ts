import { writeAudit, type By } from '#app/auth/audit.server.ts';
import type { Profile } from '#app/auth/user-form.ts';
import { AppError } from '#app/platform/errors.ts';
import { changePublicContent, type PublishingContext } from './public-change.server.ts';

/**
 * Changes what readers see of an author: the name at every post, the lines on the author's page.
 * @throws AppError `not_found`.
 */
export async function saveProfile(
  app: PublishingContext,
  by: By,
  userId: string,
  profile: Profile,
): Promise<void> {
  await changePublicContent(app, async ({ tx, now, affects }) => {
    const user = await tx.user.findUnique({ where: { id: userId } });
    if (!user) throw new AppError('not_found', 'This account no longer exists.');
    await tx.user.update({ where: { id: userId }, data: { ...profile, updatedAt: now } });
    const action = by.userId === userId ? 'account.profile-changed' : 'user.changed';
    await writeAudit(tx, app.clock, { action, by, subject: `${profile.displayName} <${user.email}>` });
    // The index knows the author's name.
    if (user.displayName === profile.displayName) return;
    const posts = await tx.post.findMany({
      where: { authorId: userId, status: 'published' },
      select: { id: true },
    });
    affects(...posts.map(({ id }) => id));
  });
}
