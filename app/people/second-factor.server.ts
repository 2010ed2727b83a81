import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { writeAudit, type ByUser } from '#app/people/audit/audit.server.ts';
import { confirmPassword } from '#app/people/passwords/change.server.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import { ACCOUNT_MAX, countUp, createLoginThrottle } from '#app/people/passwords/throttle.server.ts';
import { endSecondStep } from '#app/people/sessions/log-in.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError, fieldError, isAppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { decryptSecret, encryptSecret } from '#app/settings/secrets.server.ts';

const PERIOD_SECONDS = 30;

/** A new secret in Base32, which people can type into their app. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The `otpauth:` address that an authenticator app reads from a QR code. */
export function totpAddress(secret: string, account: { site: string; email: string }): string {
  return totpOf(secret, account).toString();
}

/**
 * The 30-second step that a code belongs to (RFC 6238); null for a wrong code. Accepts a clock that is one step off.
 * The caller must refuse this step and all earlier ones afterwards.
 */
export function totpStep(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, account?: { site: string; email: string }): TOTP {
  return new TOTP({
    issuer: account?.site,
    label: account?.email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

const COUNT = 10;
const LENGTH = 12;
// Without letters and digits that people confuse. 12 characters of 30 are 58 bits: too many for throttled guesses.
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

/** New codes as shown, such as `k7pd-2mxa-9qhw`, and as stored (a JSON array of hashes). */
function newRecoveryCodes(): { codes: string[]; stored: string } {
  const codes = Array.from({ length: COUNT }, newCode);
  return { codes, stored: JSON.stringify(codes.map(hashOf)) };
}

/** The stored codes without the used one; null when the code is not among them. */
export function withoutRecoveryCode(stored: string | null, code: string): string | null {
  const hashes = JSON.parse(stored ?? '[]') as string[];
  const used = hashOf(code);
  return hashes.includes(used) ? JSON.stringify(hashes.filter((hash) => hash !== used)) : null;
}

/** How many of an account's recovery codes are unused. @param stored the account's column, JSON */
function countRecoveryCodes(stored: string | null): number {
  return (JSON.parse(stored ?? '[]') as string[]).length;
}

function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}

// Ignores case, spaces and hyphens.
function hashOf(code: string): string {
  const bare = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return sha256Of(bare);
}

type TwoFactorApp = Timed & Configured & Hashing;

/** Wrong codes that end a second step. */
const STEP_MAX = 10;

/** The second factor of an account; `secret` (Base32) is null before its setup and once it is confirmed. */
interface TwoFactorState {
  confirmed: boolean;
  secret: string | null;
  recoveryCodesLeft: number;
}

/** Reads the second factor of an account. @throws when the account does not exist */
export async function readTwoFactor(app: TwoFactorApp, userId: string): Promise<TwoFactorState> {
  const user = await app.db.user.findUniqueOrThrow({ where: { id: userId } });
  const confirmed = user.totpConfirmedAt !== null;
  const pending = !confirmed && user.totpSecret !== null;
  return {
    confirmed,
    secret: pending ? readPending(app, user.totpSecret!) : null,
    recoveryCodesLeft: countRecoveryCodes(user.recoveryCodes),
  };
}

/** The secret of an unfinished setup; null after a change of AUTH_SECRET: the setup then begins again. */
function readPending({ env }: TwoFactorApp, totpSecret: string): string | null {
  try {
    return decryptSecret(totpSecret, env.authSecret);
  } catch (error) {
    if (isAppError(error) && error.code === 'not_configured') return null;
    throw error;
  }
}

/** Makes a secret for an account without a second factor; it takes effect when a code confirms it. */
export async function beginTwoFactor(app: TwoFactorApp, userId: string): Promise<void> {
  await app.db.user.updateMany({
    where: { id: userId, totpConfirmedAt: null },
    data: { totpSecret: encryptSecret(newTotpSecret(), app.env.authSecret), totpLastStep: null },
  });
}

/**
 * Turns the second factor on.
 * @returns the recovery codes, which are shown once and stored as hashes.
 * @throws AppError `invalid_input` on `code`; `conflict` when the second factor is already on.
 */
export async function confirmTwoFactor(app: TwoFactorApp, by: ByUser, code: string): Promise<string[]> {
  const userId = by.userId;
  const user = await app.db.user.findUniqueOrThrow({ where: { id: userId } });
  if (user.totpConfirmedAt) throw alreadyOn();
  const step = user.totpSecret && stepOf(app, user.totpSecret, code);
  if (!step) throw wrongCode();
  const { codes, stored } = newRecoveryCodes();
  await inTransaction(app.db, async (tx) => {
    const now = app.clock.now();
    // Only the secret that the code was compared with. Of two simultaneous forms only one gets recovery codes.
    const { count } = await tx.user.updateMany({
      where: { id: userId, totpConfirmedAt: null, totpSecret: user.totpSecret },
      data: { totpConfirmedAt: now, totpLastStep: step, recoveryCodes: stored, updatedAt: now },
    });
    if (count === 0) throw alreadyOn();
    await writeAudit(tx, app.clock, { action: 'account.two-factor-on', by });
  });
  return codes;
}

/** Turns the second factor off. @throws AppError `invalid_input` on `password`. */
export async function endTwoFactor(app: TwoFactorApp, by: ByUser, password: string): Promise<void> {
  await confirmPassword(app, by, password, 'password');
  await inTransaction(app.db, async (tx) => {
    if (await clearTwoFactor(tx, by.userId))
      await writeAudit(tx, app.clock, { action: 'account.two-factor-off', by });
  });
}

/**
 * Turns off the second factor of somebody who has lost it. Ends logins that wait for its code. A reset link stays valid:
 * the person may have lost the password too.
 * @param by an administrator; for the own account, `endTwoFactor` asks for the password
 */
export async function endTwoFactorOf(
  app: TwoFactorApp,
  by: ByUser,
  user: { id: string; displayName: string; email: string },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await clearTwoFactor(tx, user.id))) return;
    await tx.userToken.deleteMany({ where: { userId: user.id, purpose: 'second-step' } });
    const subject = `${user.displayName} <${user.email}>`;
    await writeAudit(tx, app.clock, { action: 'account.two-factor-off', by, subject });
  });
}

/** Removes an account's second factor: the password alone then logs in. @returns whether it was on */
async function clearTwoFactor(tx: Pick<Transaction, 'user'>, userId: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, totpConfirmedAt: { not: null } },
    data: { totpSecret: null, totpConfirmedAt: null, totpLastStep: null, recoveryCodes: null },
  });
  return count === 1;
}

/** Replaces the recovery codes. @throws AppError `invalid_input` on `code`. */
export async function renewRecoveryCodes(app: TwoFactorApp, by: ByUser, code: string): Promise<string[]> {
  await checkSecondStep(app, by, code);
  const { codes, stored } = newRecoveryCodes();
  await inTransaction(app.db, async (tx) => {
    await tx.user.update({ where: { id: by.userId }, data: { recoveryCodes: stored } });
    await writeAudit(tx, app.clock, { action: 'account.recovery-codes-renewed', by });
  });
  return codes;
}

/** Where a code came from, besides the address. */
interface CodeOrigin {
  /** The second step of a login; absent for a logged-in user. */
  stepId?: string;
  /** The result of `knownDeviceOf`: a known device has its own counters. */
  device?: string | null;
}

/**
 * Accepts a code of the authenticator app, or a recovery code, each once. Wrong codes from all addresses count against
 * the account; ten in one second step end that step.
 * @throws AppError `invalid_input` on `code`; `too_many_requests` with the seconds to wait.
 */
export async function checkSecondStep(
  app: TwoFactorApp,
  by: ByUser,
  code: string,
  { stepId, device = null }: CodeOrigin = {},
): Promise<void> {
  const throttle = createLoginThrottle(app, {
    account: `second step ${by.userId}`,
    from: device ?? by.address,
    accountMax: device === null ? ACCOUNT_MAX : undefined,
  });
  await throttle.attempt(
    async () => ((await useCode(app, by, code)) ? true : null),
    async () => {
      await writeAudit(app.db, app.clock, { action: 'login.code-failed', by });
      if (stepId !== undefined && (await countUp(app, 'second-step', stepId)) >= STEP_MAX)
        await endSecondStep(app, stepId);
      return wrongCode();
    },
  );
}

async function useCode(app: TwoFactorApp, by: ByUser, code: string): Promise<boolean> {
  const user = await app.db.user.findUnique({ where: { id: by.userId, disabledAt: null } });
  if (!user?.totpSecret || !user.totpConfirmedAt) return false;
  const { id, recoveryCodes } = user;
  // Recovery codes first: they work even after a change of AUTH_SECRET, which makes the secret unreadable.
  const remaining = withoutRecoveryCode(recoveryCodes, code);
  if (remaining) {
    const where = { id, recoveryCodes };
    const { count } = await app.db.user.updateMany({ where, data: { recoveryCodes: remaining } });
    if (count === 1) await writeAudit(app.db, app.clock, { action: 'account.recovery-code-used', by });
    return count === 1;
  }
  const step = stepOf(app, user.totpSecret, code);
  if (!step) return false;
  // One conditional update, so that only one of two simultaneous uses of a code changes the row.
  const { count } = await app.db.user.updateMany({
    where: { id, OR: [{ totpLastStep: null }, { totpLastStep: { lt: step } }] },
    data: { totpLastStep: step },
  });
  return count === 1;
}

function stepOf(app: TwoFactorApp, totpSecret: string, code: string): number | null {
  // Keyboards of some languages type their own digits: Arabic, Persian, or wide ones.
  const digits = code
    .replace(/[\s-]/g, '')
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) % 16));
  return totpStep(decryptSecret(totpSecret, app.env.authSecret), digits, app.clock.now());
}

function alreadyOn(): AppError {
  return new AppError('conflict', 'The second factor is on already.');
}

function wrongCode(): AppError {
  return fieldError('code', 'This code is incorrect. Codes change every 30 seconds and work once.');
}
