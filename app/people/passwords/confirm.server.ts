import type { ByUser } from '#app/people/audit/audit.server.ts';
import { fieldError } from '#app/platform/errors.ts';
import type { Db } from '#app/platform/services.ts';
import { passwordMatches } from './hash.server.ts';
import type { Hashing } from './queue.server.ts';
import { ACCOUNT_MAX, createLoginThrottle } from './throttle.server.ts';

/**
 * Checks that the logged-in user knows the account's password.
 * @param field the form field with the password
 * @throws AppError `invalid_input` on that field; `too_many_requests` after wrong guesses.
 */
export async function confirmPassword(
  app: Db & Hashing,
  by: ByUser,
  password: string,
  field: string,
): Promise<void> {
  const account = `password ${by.userId}`;
  const throttle = createLoginThrottle(app, { account, from: by.address, accountMax: ACCOUNT_MAX });
  await throttle.attempt(
    async () => {
      const user = await app.db.user.findUniqueOrThrow({ where: { id: by.userId } });
      return (await passwordMatches(password, user.passwordHash)) ? true : null;
    },
    () => fieldError(field, 'This is not your current password.'),
  );
}
