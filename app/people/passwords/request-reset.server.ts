import { writeAudit } from '#app/people/audit/audit.server.ts';
import { sendTokenMail, tokenLink } from '#app/people/mail/account-mails.server.ts';
import { isMailConfigured } from '#app/people/mail/send.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Configured, Logged, Timed } from '#app/platform/services.ts';
import { issueToken } from '../tokens.server.ts';
import type { Hashing } from './queue.server.ts';
import { createLoginThrottle } from './throttle.server.ts';

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
