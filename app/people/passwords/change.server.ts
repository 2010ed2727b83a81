import { type ByUser, writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { sendTokenMail, tokenLink, isMailConfigured } from '#app/people/mail.server.ts';
import {
  endTokens,
  findToken,
  invalidLink,
  useToken,
  type LinkPurpose,
  issueToken,
} from '#app/people/tokens.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { fieldError, AppError } from '#app/platform/errors.ts';
import type { Db, Timed, Configured, Logged } from '#app/platform/services.ts';
import { passwordMatches, hashPassword } from './hash.server.ts';
import type { Hashing } from './queue.server.ts';
import { ACCOUNT_MAX, createLoginThrottle, endLoginWaits } from './throttle.server.ts';

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

type PasswordApp = Timed & Hashing;

/** A link's token, the password that its holder chose, and the client's address. */
interface ChosenPassword {
  token: string;
  password: string;
  address: string;
}

/**
 * Sets the password that the holder of a reset link chose. Ends every session of the account and the waits of its
 * logins; keeps the second factor.
 * @throws AppError `invalid_input` when the link is no longer valid; `too_many_requests` after many such links.
 */
export async function resetPassword(app: PasswordApp, input: ChosenPassword): Promise<void> {
  await choosePassword(app, 'reset', input, async (tx, by) => {
    await tx.session.deleteMany({ where: { userId: by.userId } });
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: by.userId }, select: { email: true } });
    await endLoginWaits(tx, email);
    await writeAudit(tx, app.clock, { action: 'account.password-reset', by });
  });
}

/** Accepts an invitation: sets the account's first password. @throws AppError as `resetPassword`. */
export async function acceptInvitation(app: PasswordApp, input: ChosenPassword): Promise<{ userId: string }> {
  return choosePassword(app, 'invitation', input, (tx, by) =>
    writeAudit(tx, app.clock, { action: 'account.invitation-accepted', by }),
  );
}

async function choosePassword(
  app: PasswordApp,
  purpose: LinkPurpose,
  { token, password, address }: ChosenPassword,
  writeOthers: (tx: Transaction, by: By & { userId: string }) => Promise<void>,
): Promise<{ userId: string }> {
  // The throttle comes first: hashing is expensive, and anybody can send a form with an invented token.
  const throttle = createLoginThrottle(app, { from: address });
  await throttle.attempt(() => findToken(app.db, app.clock, purpose, token), invalidLink);
  const passwordHash = await hashPassword(app, address, password);
  return inTransaction(app.db, async (tx) => {
    const { userId, displayName } = await useToken(tx, app.clock, purpose, token);
    await tx.user.update({ where: { id: userId }, data: { passwordHash, updatedAt: app.clock.now() } });
    await endTokens(tx, userId);
    await writeOthers(tx, { userId, actor: displayName, address });
    return { userId };
  });
}

/** Requests for one account, from all addresses together, that lead to a wait. */
const RESETS_MAX = 10;

type ResetApp = Timed & Configured & Logged & Hashing;

/**
 * Sends a reset link to the account with that email address. The message is sent after the answer, so neither the
 * answer nor its duration shows whether there is such an account.
 * @returns resolves when the message is sent; only tests wait for that.
 * @throws AppError `too_many_requests` after five requests in a quarter of an hour for one email address from one
 *   client, or ten from all clients; `not_configured` when this site sends no email.
 */
export async function requestPasswordReset(
  app: ResetApp,
  email: string,
  address: string,
): Promise<{ sending: Promise<void> }> {
  if (!(await isMailConfigured(app)))
    throw new AppError(
      'not_configured',
      'This site can’t send email yet. Ask its operator to set a new password with npm run admin:create.',
    );
  // The waits over all addresses are shorter than a link is valid: requests of others leave a valid one in the mailbox.
  const open = { accountMax: RESETS_MAX, isOpen: true };
  await createLoginThrottle(app, { account: `reset ${email}`, from: address, ...open }).count();
  return { sending: sendReset(app, email, address).catch((error) => logFailure(app, error)) };
}

async function sendReset(app: ResetApp, email: string, address: string): Promise<void> {
  // An imported account and one with an open invitation have no password to reset.
  const user = await app.db.user.findUnique({
    where: { email, disabledAt: null, passwordHash: { not: null } },
  });
  if (!user) return;
  const token = await inTransaction(app.db, async (tx) => {
    const by = { userId: user.id, actor: user.displayName, address };
    await writeAudit(tx, app.clock, { action: 'account.reset-requested', by });
    return issueToken(tx, app.clock, user.id, 'reset');
  });
  await sendTokenMail(app, 'reset', email, await tokenLink(app, 'reset', token));
}

function logFailure(app: ResetApp, error: unknown): void {
  app.log.error({ err: error }, 'A password reset could not be sent');
}
