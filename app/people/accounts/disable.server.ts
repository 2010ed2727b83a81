import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Timed } from '#app/platform/services.ts';
import { endTokens, revokePreviews } from '../tokens.server.ts';
import { keepingAnAdministrator } from './last-administrator.server.ts';

/**
 * Disables an account: ends its sessions, links and previews, and nobody can log in to it.
 * @throws AppError `not_found`; `conflict` for the last administrator.
 */
export async function disableUser(app: Timed, by: By, userId: string): Promise<void> {
  await setDisabled(app, by, userId, 'user.disabled');
}

/** @throws AppError `not_found`. */
export async function enableUser(app: Timed, by: By, userId: string): Promise<void> {
  await setDisabled(app, by, userId, 'user.enabled');
}

async function setDisabled(
  app: Timed,
  by: By,
  userId: string,
  action: 'user.disabled' | 'user.enabled',
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const user = await tx.user.findUnique({ where: { id: userId } });
    if (!user) throw new AppError('not_found', 'This account no longer exists.');
    const updatedAt = app.clock.now();
    const disabledAt = action === 'user.disabled' ? updatedAt : null;
    await keepingAnAdministrator(tx, () =>
      tx.user.update({ where: { id: userId }, data: { disabledAt, updatedAt } }),
    );
    if (disabledAt) {
      await tx.session.deleteMany({ where: { userId } });
      await endTokens(tx, userId);
      await revokePreviews(tx, app.clock, userId);
    }
    await writeAudit(tx, app.clock, { action, by, subject: `${user.displayName} <${user.email}>` });
  });
}
