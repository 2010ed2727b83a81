import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import type { By } from './audit.server.ts';
import { createLoginThrottle } from './login-throttle.server.ts';
import { passwordMatches } from './passwords.server.ts';

/**
 * Makes sure that whoever is logged in also knows the account's password.
 * @param field the form's field that holds it
 * @throws AppError `invalid_input` on that field; `too_many_requests` after wrong guesses.
 */
export async function confirmPassword(
  app: Pick<App, 'db'>,
  by: By,
  password: string,
  field: string,
): Promise<void> {
  const userId = by.userId!;
  const throttle = createLoginThrottle(app, { account: `password ${userId}`, address: by.address });
  await throttle.check();
  const user = await app.db.user.findUniqueOrThrow({ where: { id: userId } });
  if (await passwordMatches(password, user.passwordHash)) {
    await throttle.forgive();
    return;
  }
  await throttle.countFailure();
  const message = 'This is not your current password.';
  throw new AppError('invalid_input', message, { fields: { [field]: [message] } });
}
