import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import * as z from 'zod';
import { writeAudit } from '#app/people/audit/audit.server.ts';
import { passwordMatches } from '#app/people/passwords/hash.server.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import { createLoginThrottle } from '#app/people/passwords/throttle.server.ts';
import { findToken, issueToken, tokenLifetimes, type FoundToken } from '#app/people/tokens.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { fieldError, type AppError } from '#app/platform/errors.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { line, text } from '#app/platform/text/schemas.ts';
import { knownDeviceOf } from './known-device.server.ts';
import { signedCookie } from './cookie.server.ts';

const credentialsSchema = z.object({
  email: line(254, 'Email').transform((value) => value.toLowerCase()),
  password: text(10_000, 'Password'),
});

type LoginApp = Timed & Configured & Hashing;

/** An account whose password was right. If it needs a code, nobody is logged in yet. */
interface CheckedPassword {
  userId: string;
  needsCode: boolean;
  passwordHash: string;
}

const WRONG_CREDENTIALS = 'Email or password is incorrect.';

/** The client that sent a login form: its address and its `Cookie` header. */
interface LoginClient {
  address: string;
  cookies: string | null;
}

/**
 * Checks a submitted login form.
 * @throws AppError `invalid_input`, with the contract's one message for every cause; `too_many_requests` with the seconds to
 *   wait.
 */
export async function logIn(
  app: LoginApp,
  { email = '', password = '' }: Readonly<Record<string, string>>,
  client: LoginClient,
): Promise<CheckedPassword> {
  const authenticator = new Authenticator<CheckedPassword>();
  authenticator.use(new FormStrategy(({ form }) => verify(app, Object.fromEntries(form), client)), 'form');
  // The strategy reads a request. The submitted form was already read within its limits, so this request repeats two fields.
  const body = new URLSearchParams({ email, password });
  return authenticator.authenticate('form', new Request(app.env.siteUrl, { method: 'POST', body }));
}

async function verify(
  app: LoginApp,
  form: unknown,
  { address, cookies }: LoginClient,
): Promise<CheckedPassword> {
  const credentials = credentialsSchema.safeParse(form);
  if (!credentials.success) throw wrongCredentials();
  const { email, password } = credentials.data;
  const account = await app.db.user.findUnique({ where: { email }, select: { id: true } });
  // A known device has its own counters: failures of others at its address do not count against it.
  const device = await knownDeviceOf(app, cookies, account?.id);
  const throttle = createLoginThrottle(app, {
    account: email,
    from: device ?? address,
    forgiving: device !== null,
    isOpen: device === null,
  });
  return throttle.attempt(
    async () => {
      // Read again: the password may have changed while this waited in the queue.
      const user = await app.db.user.findUnique({ where: { email } });
      const matches = await passwordMatches(password, user?.passwordHash);
      if (!user?.passwordHash || !matches || user.disabledAt) return null;
      const { id: userId, passwordHash, totpConfirmedAt } = user;
      return { userId, passwordHash, needsCode: totpConfirmedAt !== null };
    },
    async () => {
      const by = { userId: account?.id ?? null, actor: email, address };
      await writeAudit(app.db, app.clock, { action: 'login.failed', by });
      return wrongCredentials();
    },
  );
}

/** The error for a wrong email address or password, and for a password that was changed during the login. */
function wrongCredentials(): AppError {
  return fieldError('password', WRONG_CREDENTIALS);
}

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

type StepApp = Timed & Configured;

/** Records for ten minutes that the password was right. @returns the `Set-Cookie` header. */
export async function startSecondStep(app: StepApp, login: CheckedPassword): Promise<string> {
  const token = await inTransaction(app.db, async (tx) => {
    await lockAccount(tx, login);
    return issueToken(tx, app.clock, login.userId, 'second-step');
  });
  return stepCookie(app).serialize(token);
}

/** The second step that a request belongs to; null if there is none or it has ended. */
export async function readSecondStep(app: StepApp, request: Request): Promise<FoundToken | null> {
  const token: unknown = await stepCookie(app).parse(request.headers.get('Cookie'));
  return typeof token === 'string' ? findToken(app.db, app.clock, 'second-step', token) : null;
}

/** Ends a step, after the right code or too many wrong ones. @returns the `Set-Cookie` header. */
export async function endSecondStep(app: StepApp, stepId: string): Promise<string> {
  await app.db.userToken.deleteMany({ where: { id: stepId } });
  return stepCookie(app).serialize('', { maxAge: 0 });
}

function stepCookie(app: StepApp) {
  return signedCookie(app, 'dateline_second_step', tokenLifetimes['second-step'] / 1000);
}
