import type { App } from '#app/app.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { writeAudit, type By } from './audit.server.ts';
import { confirmPassword } from './confirm-password.server.ts';
import { hashPassword } from './passwords.server.ts';

/**
 * Changes one's own password. Every other session ends, and so do links for a new password.
 * @throws AppError `invalid_input` on `currentPassword`; `too_many_requests` after wrong guesses.
 */
export async function changePassword(
  app: Pick<App, 'db' | 'clock'>,
  by: By,
  input: { currentPassword: string; password: string; sessionId: string },
): Promise<void> {
  const userId = by.userId!;
  await confirmPassword(app, by, input.currentPassword, 'currentPassword');
  const passwordHash = await hashPassword(input.password);
  await inTransaction(app.db, async (tx) => {
    const updatedAt = app.clock.now();
    await tx.user.update({ where: { id: userId }, data: { passwordHash, updatedAt } });
    await tx.session.deleteMany({ where: { userId, id: { not: input.sessionId } } });
    await tx.userToken.deleteMany({ where: { userId } });
    await writeAudit(tx, app.clock, { action: 'account.password-changed', by });
  });
}
