import { writeAudit, type By } from '#app/people/audit/audit.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';
import { endTokens, findToken, invalidLink, useToken, type LinkPurpose } from '../tokens.server.ts';
import { hashPassword } from './hash.server.ts';
import type { Hashing } from './queue.server.ts';
import { createLoginThrottle, endLoginWaits } from './throttle.server.ts';

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
