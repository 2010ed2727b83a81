import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import { sendTokenMail, tokenLink } from '#app/people/mail.server.ts';
import { hashPassword } from '#app/people/passwords/hash.server.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import { issueToken, endTokens, revokePreviews } from '#app/people/tokens.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { say, type Message } from '#app/platform/message.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';
import type { NewUser } from './schema.ts';

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

type UserApp = Timed & Configured & Logged & Hashing;

/** The result of an invitation. If its message could not be sent, the inviter sends the link by hand. */
export interface Invitation {
  link: string;
  /** Why the message could not be sent, in words; null if it was sent. */
  problem: Message | null;
}

/**
 * Creates an account that can log in at once, or, without a password, one that waits for an invitation.
 * @throws AppError `invalid_input` on `email` or `username` when another account has it.
 */
export async function createUser(
  app: UserApp,
  by: By,
  user: NewUser,
  password: string | null,
): Promise<{ id: string }> {
  const passwordHash = password === null ? null : await hashPassword(app, by.address, password);
  const id = newId(app.clock);
  try {
    await inTransaction(app.db, async (tx) => {
      const { email, username } = user;
      if (await tx.user.findUnique({ where: { email } })) throw alreadyTaken('email', 'email address');
      if (await tx.user.findUnique({ where: { username } })) throw alreadyTaken('username', 'username');
      const now = app.clock.now();
      await tx.user.create({ data: { ...user, id, passwordHash, createdAt: now, updatedAt: now } });
      const subject = `${user.displayName} <${email}>`;
      await writeAudit(tx, app.clock, { action: 'user.created', by, subject, details: user.role });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw alreadyTaken('email', 'email address or username');
    throw error;
  }
  return { id };
}

/** Invites a person who has no password yet, by email if the site sends email. Ends older invitations. */
export async function inviteUser(app: UserApp, by: By, userId: string): Promise<Invitation> {
  const { token, email } = await inTransaction(app.db, async (tx) => {
    const user = await tx.user.findUnique({ where: { id: userId } });
    if (!user) throw new AppError('not_found', 'This account no longer exists.');
    if (user.passwordHash)
      throw new AppError('conflict', say('{name} has a password already.', { name: user.displayName }));
    if (user.disabledAt) throw new AppError('conflict', 'Enable the account before you send an invitation.');
    const subject = `${user.displayName} <${user.email}>`;
    await writeAudit(tx, app.clock, { action: 'user.invited', by, subject });
    return { token: await issueToken(tx, app.clock, userId, 'invitation'), email: user.email };
  });
  const link = await tokenLink(app, 'invitation', token);
  try {
    await sendTokenMail(app, 'invitation', email, link);
    return { link, problem: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { link, problem: error.said };
  }
}

function alreadyTaken(field: string, what: string): AppError {
  return fieldError(field, `Another account has this ${what}.`);
}

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
