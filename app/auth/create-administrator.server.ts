import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import { AppError } from '#app/platform/errors.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import type { NewAccount } from './account-schema.ts';
import { hashPassword } from './passwords.server.ts';

/**
 * Creates an administrator, or updates the account with that e-mail: it becomes an enabled administrator
 * with this password, its sessions end and its second factor is cleared, so that nobody is locked out for good.
 * @throws AppError `conflict` when another account has the username.
 */
export async function createAdministrator(
  app: Pick<App, 'db' | 'clock'>,
  account: NewAccount,
): Promise<{ id: string }> {
  const { email, username, displayName, password } = account;
  const passwordHash = await hashPassword(password);
  return inTransaction(app.db, async (tx) => {
    const now = app.clock.now();
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
    const user = await tx.user.upsert({
      where: { email },
      create: { id: newId(app.clock), email, createdAt: now, ...access },
      update: access,
      select: { id: true },
    });
    await tx.session.deleteMany({ where: { userId: user.id } });
    // The author's name stands on public pages.
    await tx.siteState.updateMany({ data: { contentVersion: { increment: 1 }, updatedAt: now } });
    return user;
  });
}
