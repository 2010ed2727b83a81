import { RateLimiterPrisma } from 'rate-limiter-flexible';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';

const WINDOW_SECONDS = 15 * 60;
const MEMORY_SECONDS = 24 * 60 * 60;
const FIRST_WAIT_SECONDS = 60;

/** Counts failed logins by account and address, and by address alone, in the database: all processes share it. */
export interface LoginThrottle {
  /** @throws AppError `too_many_requests` while a wait lasts. */
  check(): Promise<void>;
  countFailure(): Promise<void>;
  /** A right password clears what was counted against this account from this address. */
  forgive(): Promise<void>;
}

/** After 5 failures for one account from one address, or 30 from one address, in 15 minutes: waits that double. */
export function createLoginThrottle(
  app: Pick<App, 'db'>,
  client: { account: string; address: string },
): LoginThrottle {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPrisma({
      storeClient: app.db,
      tableName: 'loginThrottle',
      keyPrefix,
      points,
      duration,
      clearExpiredByTimeout: false,
    });
  const account = `${client.account}|${client.address}`;
  const gates = [
    { key: account, limit: 5, failures: limiter('login', 5, WINDOW_SECONDS) },
    { key: client.address, limit: 30, failures: limiter('login-address', 30, WINDOW_SECONDS) },
  ];
  const waits = limiter('login-waits', 1_000, MEMORY_SECONDS);

  return {
    async check() {
      for (const { key, limit, failures } of gates) {
        const state = await failures.get(key);
        if (!state || state.consumedPoints < limit) continue;
        const retryAfter = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
        throw new AppError('too_many_requests', `Too many attempts. Try again in ${inWords(retryAfter)}.`, {
          retryAfter,
        });
      }
    },
    async countFailure() {
      for (const { key, limit, failures } of gates) {
        const state = await failures.penalty(key);
        if (state.consumedPoints < limit) continue;
        const { consumedPoints: earlierWaits } = await waits.penalty(key);
        await failures.block(key, Math.min(FIRST_WAIT_SECONDS * 2 ** (earlierWaits - 1), MEMORY_SECONDS));
      }
    },
    async forgive() {
      await gates[0]!.failures.delete(account);
      await waits.delete(account);
    },
  };
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
