import type { Transaction } from '#app/platform/database/client.server.ts';
import { wrongCredentials } from './log-in.server.ts';

/**
 * Locks an account for a transaction that lets somebody in. A change of the password locks the account too: it happens
 * before, and this fails, or after, and ends what this makes.
 * @param passwordHash the hash with which the login's password was compared; absent: a code, or a password that was just chosen, lets them in
 * @throws AppError `invalid_input` if the account has another password by now, or is disabled
 */
export async function lockAccount(
  tx: Pick<Transaction, 'user'>,
  { userId, passwordHash }: { userId: string; passwordHash?: string },
): Promise<void> {
  const where = { id: userId, disabledAt: null, passwordHash };
  const { count } = await tx.user.updateMany({ where, data: { disabledAt: null } });
  if (count === 0) throw wrongCredentials();
}
