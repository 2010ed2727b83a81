import { writeAudit, type ByUser } from '#app/people/audit/audit.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { endTokens } from '../tokens.server.ts';
import { confirmPassword } from './confirm.server.ts';
import { hashPassword } from './hash.server.ts';
import type { Hashing } from './queue.server.ts';

/**
 * Changes the user's own password. Every other session, link and second step of the account ends.
 * @throws AppError `invalid_input` on `currentPassword`; `too_many_requests` after wrong guesses.
 */
export async function changePassword(
  app: Timed & Hashing,
  by: ByUser,
  input: { currentPassword: string; password: string; sessionId: string },
): Promise<void> {
  const { userId } = by;
  await confirmPassword(app, by, input.currentPassword, 'currentPassword');
  const passwordHash = await hashPassword(app, by.address, input.password);
  await inTransaction(app.db, async (tx) => {
    const updatedAt = app.clock.now();
    await tx.user.update({ where: { id: userId }, data: { passwordHash, updatedAt } });
    await tx.session.deleteMany({ where: { userId, id: { not: input.sessionId } } });
    await endTokens(tx, userId);
    await writeAudit(tx, app.clock, { action: 'account.password-changed', by });
  });
}
