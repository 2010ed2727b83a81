import { RateLimiterPrisma } from 'rate-limiter-flexible';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { networkOf } from '#app/platform/network-address.ts';

const WINDOW_SECONDS = 15 * 60;
const MEMORY_SECONDS = 24 * 60 * 60;
const FIRST_WAIT_SECONDS = 60;
const WAITS_MAX = 1_000;

/** `accountMax` where the attacker already has a session or the password. */
export const ACCOUNT_MAX = 20;

type ThrottleApp = Pick<App, 'db' | 'loginQueue'>;

/** Whose failures are counted together. */
export interface ThrottledClient {
  /** The target of the guesses, such as an email address; absent: only the client's network is counted. */
  account?: string;
  /** The client's address, or `device …` for a known device, which has counters of its own. */
  from: string;
  /** Failures for this account from all addresses together after which it waits; absent: any number. */
  accountMax?: number;
  /** A right answer is accepted while only this account waits, as from a known device. */
  forgiving?: boolean;
}

/** Counts failed attempts in the database, where all processes share them. Waits double from a minute to a day. */
export interface LoginThrottle {
  /**
   * Runs one check of something secret in the login queue.
   * @param check gives null for a wrong answer, which is counted
   * @param refuse runs after that; gives the error to throw
   * @throws AppError `too_many_requests` while a wait lasts, then mostly without a check; else what `refuse` gives.
   */
  attempt<T>(check: () => Promise<T | null>, refuse: () => Promise<AppError> | AppError): Promise<T>;
  /** Counts attempts without a right or wrong answer, such as requests of a message. @throws AppError as `attempt`. */
  count(): Promise<void>;
}

interface Limit {
  name: string;
  key: string;
  max: number;
}

/** 5 failures for one account from one network, or 30 from one network, within 15 minutes lead to waits. */
export function createLoginThrottle(app: ThrottleApp, client: ThrottledClient): LoginThrottle {
  const { account, accountMax, forgiving = false } = client;
  const network = networkOf(client.from);
  // With a limit over all addresses, attempts from several of them do not run beside each other.
  const turn = accountMax === undefined ? network : `account ${account}`;
  const here: Limit | null =
    account === undefined ? null : { name: 'login', key: `${account}|${network}`, max: 5 };
  const limits: Limit[] = [{ name: 'login-address', key: network, max: 30 }];
  if (account !== undefined && accountMax !== undefined)
    limits.push({ name: 'login-account', key: account, max: accountMax });

  /** @returns the wait that a right answer ends, for a forgiving throttle. @throws any other wait. */
  async function checkWaits(): Promise<AppError | null> {
    const ofAccount = here && (await waitOf(app, here));
    if (ofAccount && !forgiving) throw ofAccount;
    for (const limit of limits) {
      const wait = await waitOf(app, limit);
      if (wait) throw wait;
    }
    return ofAccount;
  }

  async function countFailure(): Promise<void> {
    for (const limit of here ? [here, ...limits] : limits) await countAt(app, limit);
  }

  return {
    async attempt(check, refuse) {
      // Before the queue too, so that a client that must wait is told at once.
      await checkWaits();
      return app.loginQueue.run(turn, async () => {
        const wait = await checkWaits();
        const found = await check();
        if (found !== null) {
          if (here) await forget(app, here);
          return found;
        }
        await countFailure();
        const refusal = await refuse();
        throw wait ?? refusal;
      });
    },
    count: () =>
      app.loginQueue.run(turn, async () => {
        await checkWaits();
        await countFailure();
      }),
  };
}

/** Counts one more under that key within the window. @returns how many there are by now. */
export async function countUp(app: Pick<App, 'db'>, name: string, key: string): Promise<number> {
  const { consumedPoints } = await counterOf(app, name).penalty(key);
  return consumedPoints;
}

/** Deletes expired counters. Every trigger calls it. */
export async function sweepLoginThrottle(app: Pick<App, 'db' | 'clock'>): Promise<number> {
  const { count } = await app.db.loginThrottle.deleteMany({ where: { expire: { lt: app.clock.now() } } });
  return count;
}

async function waitOf(app: ThrottleApp, { name, key, max }: Limit): Promise<AppError | null> {
  const state = await counterOf(app, name).get(key);
  if (!state || state.consumedPoints < max) return null;
  const retryAfter = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError('too_many_requests', `Too many attempts. Try again in ${inWords(retryAfter)}.`, {
    retryAfter,
  });
}

async function countAt(app: ThrottleApp, { name, key, max }: Limit): Promise<void> {
  const failures = counterOf(app, name);
  const state = await failures.penalty(key);
  if (state.consumedPoints < max) return;
  const { consumedPoints: earlierWaits } = await waitsOf(app).penalty(key);
  await failures.block(key, Math.min(FIRST_WAIT_SECONDS * 2 ** (earlierWaits - 1), MEMORY_SECONDS));
}

async function forget(app: ThrottleApp, { name, key }: Limit): Promise<void> {
  await counterOf(app, name).delete(key);
  await waitsOf(app).delete(key);
}

const waitsOf = (app: ThrottleApp) => counterOf(app, 'login-waits', MEMORY_SECONDS);

function counterOf(app: Pick<App, 'db'>, name: string, seconds = WINDOW_SECONDS): RateLimiterPrisma {
  return new RateLimiterPrisma({
    storeClient: app.db,
    tableName: 'loginThrottle',
    keyPrefix: name,
    // Required by the library; whether a limit is reached is decided here.
    points: WAITS_MAX,
    duration: seconds,
    clearExpiredByTimeout: false,
  });
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
