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
  /**
   * As `check`, but the wait of this account alone is given back instead: from a known device its right password
   * is let in all the same.
   */
  checkKnown(): Promise<AppError | null>;
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

  async function waitAt({ key, limit, failures }: (typeof gates)[number]): Promise<AppError | null> {
    const state = await failures.get(key);
    if (!state || state.consumedPoints < limit) return null;
    const retryAfter = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const message = `Too many attempts. Try again in ${inWords(retryAfter)}.`;
    return new AppError('too_many_requests', message, { retryAfter });
  }

  async function checkKnown(): Promise<AppError | null> {
    const [ofAccount, ofAddress] = [await waitAt(gates[0]!), await waitAt(gates[1]!)];
    if (ofAddress) throw ofAddress;
    return ofAccount;
  }

  return {
    checkKnown,
    async check() {
      const wait = await checkKnown();
      if (wait) throw wait;
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

/** Removes what has run out: addresses come once and never again. Every trigger calls it. */
export async function sweepLoginThrottle(app: Pick<App, 'db' | 'clock'>): Promise<number> {
  const { count } = await app.db.loginThrottle.deleteMany({ where: { expire: { lt: app.clock.now() } } });
  return count;
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
