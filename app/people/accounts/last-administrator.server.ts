import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';

// Administrators who can log in. An account with an open invitation has no password, so it does not count.
const able = { role: 'administrator', disabledAt: null, passwordHash: { not: null } };

/**
 * Runs a change that may remove an administrator, and refuses it when no administrator would be left. Locks the rows of
 * all administrators first, so two of them cannot demote each other at the same moment.
 * @throws AppError `conflict`; the caller's transaction undoes the change.
 */
export async function keepingAnAdministrator<T>(
  tx: Pick<Transaction, 'user'>,
  change: () => Promise<T>,
): Promise<T> {
  await tx.user.updateMany({ where: able, data: { role: 'administrator' } });
  const result = await change();
  if ((await tx.user.count({ where: able })) === 0)
    throw new AppError(
      'conflict',
      'This is the last administrator. Make another person an administrator first.',
    );
  return result;
}
