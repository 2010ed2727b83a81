import type { NewAccount } from '#app/people/accounts/schema.ts';
import { byCommand, writeAudit } from '#app/people/audit/audit.server.ts';
import { hashPassword } from '#app/people/passwords/hash.server.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import { endLoginWaits } from '#app/people/passwords/throttle.server.ts';
import { endTokens } from '#app/people/tokens.server.ts';
import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { changePublicContent, type PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { updatePostsOfAuthor } from './save.server.ts';

/**
 * Creates an administrator, or updates the account with that email. It becomes an enabled administrator with this
 * password. Its sessions, links, second factor and the waits after wrong passwords end, so that nobody stays locked out.
 * @throws AppError `conflict` when another account has the username.
 */
export async function createAdministrator(
  app: PublishingContext & Hashing,
  account: NewAccount,
): Promise<{ id: string }> {
  const { email, username, displayName, password } = account;
  const passwordHash = await hashPassword(app, 'command', password);
  return changePublicContent(app, async (change) => {
    const { tx, now } = change;
    const holder = await tx.user.findUnique({ where: { username }, select: { email: true } });
    if (holder && holder.email !== email)
      throw new AppError('conflict', `The username “${username}” belongs to another account.`);
    const access = {
      username,
      displayName,
      passwordHash,
      role: 'administrator',
      disabledAt: null,
      totpSecret: null,
      totpConfirmedAt: null,
      totpLastStep: null,
      recoveryCodes: null,
      updatedAt: now,
    };
    const before = await tx.user.findUnique({ where: { email } });
    const subject = `${displayName} <${email}>`;
    if (!before) {
      change.affects();
      const details = 'administrator';
      await writeAudit(tx, app.clock, { action: 'user.created', by: byCommand, subject, details });
      return tx.user.create({ data: { id: newId(app.clock), email, createdAt: now, ...access } });
    }
    const after = await tx.user.update({ where: { email }, data: access });
    await tx.session.deleteMany({ where: { userId: after.id } });
    await endTokens(tx, after.id);
    await endLoginWaits(tx, email);
    await updatePostsOfAuthor(change, before, after);
    const roleChange = before.role === 'administrator' ? [] : [`${before.role} to administrator`];
    const details = [...roleChange, 'new password'].join(', ');
    await writeAudit(tx, app.clock, { action: 'user.changed', by: byCommand, subject, details });
    return after;
  });
}
