import type { App } from '#app/app.ts';
import type { Prisma, Transaction } from '#app/platform/database.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/transaction.server.ts';
import { writeAudit, type AuditEntry, type By } from './audit.server.ts';
import { keepingAnAdministrator } from './last-administrator.server.ts';
import type { UserChange } from './user-form.ts';

type UserApp = Pick<App, 'db' | 'clock'>;
type UserRow = Prisma.UserGetPayload<object>;

/**
 * Changes an account's role and e-mail address; both count at the account's next request.
 * @throws AppError `not_found`; `conflict` for the last administrator; `invalid_input` on `email`.
 */
export async function changeUser(app: UserApp, by: By, userId: string, change: UserChange): Promise<void> {
  try {
    await changing(app, by, userId, async (tx, user, updatedAt) => {
      await tx.user.update({ where: { id: userId }, data: { ...change, updatedAt } });
      const details = [
        user.role === change.role ? '' : `${user.role} to ${change.role}`,
        user.email === change.email ? '' : `e-mail ${user.email} to ${change.email}`,
      ].filter(Boolean);
      return { action: 'user.changed', details: details.join(', ') };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = 'Another account has this e-mail address.';
    throw new AppError('invalid_input', message, { fields: { email: [message] } });
  }
}

/** Disables an account: its sessions and links end and nobody logs in to it. @throws AppError as `changeUser`. */
export async function disableUser(app: UserApp, by: By, userId: string): Promise<void> {
  await changing(app, by, userId, async (tx, _user, now) => {
    await tx.user.update({ where: { id: userId }, data: { disabledAt: now, updatedAt: now } });
    await tx.session.deleteMany({ where: { userId } });
    await tx.userToken.deleteMany({ where: { userId } });
    return { action: 'user.disabled' };
  });
}

export async function enableUser(app: UserApp, by: By, userId: string): Promise<void> {
  await changing(app, by, userId, async (tx, _user, updatedAt) => {
    await tx.user.update({ where: { id: userId }, data: { disabledAt: null, updatedAt } });
    return { action: 'user.enabled' };
  });
}

async function changing(
  app: UserApp,
  by: By,
  userId: string,
  change: (tx: Transaction, user: UserRow, now: Date) => Promise<Pick<AuditEntry, 'action' | 'details'>>,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const user = await tx.user.findUnique({ where: { id: userId } });
    if (!user) throw new AppError('not_found', 'This account no longer exists.');
    const entry = await keepingAnAdministrator(tx, () => change(tx, user, app.clock.now()));
    await writeAudit(tx, app.clock, { ...entry, by, subject: `${user.displayName} <${user.email}>` });
  });
}
