import { RateLimiterPrisma } from 'rate-limiter-flexible';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { networkOf } from '#app/platform/http/network-address.server.ts';
import { say, type FilledText } from '#app/platform/message.ts';
import type { Db, Timed } from '#app/platform/services.ts';
import type { Hashing } from './queue.server.ts';

const WINDOW_SECONDS = 15 * 60;
const MEMORY_SECONDS = 24 * 60 * 60;
const FIRST_WAIT_SECONDS = 60;
const WAITS_MAX = 1_000;
/** Prefix of the keys that count waits. */
const WAITS = 'login-waits';

/**
 * Limits for an account over all addresses, against guesses from ever new ones. The waits are short, and do not concern
 * known devices: nobody can keep the owner out by guessing. Up to the second limit a right answer is accepted during a
 * wait, from any address, so that a few guesses of others cost the owner nothing.
 */
const EVERYWHERE = { waitMax: WINDOW_SECONDS, warned: 10, guesses: 100 };
/** Prefixes of the keys of both limits. */
const EVERYWHERE_NAMES = ['login-everywhere', 'login-guesses'] as const;

/** `accountMax` for checks that only somebody with a session or the password can reach. */
export const ACCOUNT_MAX = 20;

type ThrottleApp = Db & Hashing;

/** The client and target whose failures are counted together. */
export interface ThrottledClient {
  /** The target of the guesses, such as an email address; absent: only the client's network is counted. */
  account?: string;
  /** The client's address, or `device …` for a known device, which has its own counters. */
  from: string;
  /** Failures for this account, from all addresses together, that lead to a wait; absent: no such limit. */
  accountMax?: number;
  /** True for checks that anybody may try: the limits of an account over all addresses hold. */
  isOpen?: boolean;
  /** For known devices: a right answer is accepted during a wait of the account, but not of the network. */
  forgiving?: boolean;
}

/** Counts failed attempts in the database, where all processes share them. Waits double from a minute to a day. */
export interface LoginThrottle {
  /**
   * Runs one check of a secret in the login queue.
   * @param check returns null for a wrong answer, which is counted
   * @param refuse runs after the count; returns the error to throw
   * @throws AppError `too_many_requests` during a wait, usually without a check; else the error of `refuse`.
   */
  attempt<T>(check: () => Promise<T | null>, refuse: () => Promise<AppError> | AppError): Promise<T>;
  /**
   * Counts an attempt that has no right or wrong answer, such as a request for a message.
   * @throws AppError as `attempt`.
   */
  count(): Promise<void>;
}

interface Limit {
  name: string;
  key: string;
  max: number;
  /** Seconds for which failures count, also during and after a wait; absent: a wait forgets them. */
  window?: number;
  /** The longest wait, in seconds. */
  waitMax?: number;
  /** A right answer is accepted during a wait. */
  forgiving?: boolean;
}

/**
 * 5 failures for one account from one network, or 30 from one network, within 15 minutes lead to waits; with `isOpen` also
 * 10 for one account from all networks, and 100 within a day.
 */
export function createLoginThrottle(app: ThrottleApp, client: ThrottledClient): LoginThrottle {
  const { account, accountMax, isOpen = false, forgiving = false } = client;
  const network = networkOf(client.from);
  // A limit over all addresses needs one turn for all of them: parallel attempts would pass it.
  const turn = accountMax === undefined ? network : `account ${account}`;
  const accountLimit: Limit | null =
    account === undefined ? null : { name: 'login', key: `${account}|${network}`, max: 5, forgiving };
  const limits: Limit[] = [{ name: 'login-address', key: network, max: 30 }];
  if (accountLimit) limits.unshift(accountLimit);
  if (account !== undefined && accountMax !== undefined)
    limits.push({
      name: 'login-account',
      key: account,
      max: accountMax,
      waitMax: isOpen ? EVERYWHERE.waitMax : undefined,
    });
  if (account !== undefined && isOpen) limits.push(...limitsEverywhere(account));

  /** @returns the wait of a forgiving limit: a right answer is accepted. @throws any other wait. */
  async function checkWaits(): Promise<AppError | null> {
    let forgiven: AppError | null = null;
    for (const limit of limits) {
      const wait = await waitOf(app, limit);
      if (wait && !limit.forgiving) throw wait;
      forgiven ??= wait;
    }
    return forgiven;
  }

  async function countFailure(): Promise<void> {
    for (const limit of limits) await countAt(app, limit);
  }

  return {
    async attempt(check, refuse) {
      // Checked before the queue too, so that a client that must wait gets its answer at once.
      await checkWaits();
      return app.loginQueue.run(turn, async () => {
        const wait = await checkWaits();
        const checked = await check();
        if (checked !== null) {
          if (accountLimit) await forget(app, accountLimit);
          return checked;
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

function limitsEverywhere(account: string): Limit[] {
  const { waitMax, warned, guesses } = EVERYWHERE;
  const [first, second] = EVERYWHERE_NAMES;
  return [
    { name: first, key: account, max: warned, waitMax, forgiving: true },
    { name: second, key: `${account} in a day`, max: guesses, waitMax, window: MEMORY_SECONDS },
  ];
}

/** Adds one to the count of a key within the window. @returns the new count. */
export async function countUp(app: Db, name: string, key: string): Promise<number> {
  const { consumedPoints } = await counterOf(app, name).penalty(key);
  return consumedPoints;
}

/**
 * Ends the waits of an email address's logins, from every network: the account has a new password from the operator, or by
 * a link to that address. The waits of a network as a whole stay.
 */
export async function endLoginWaits(tx: Pick<Transaction, 'loginThrottle'>, email: string): Promise<void> {
  const prefixes = ['login', WAITS].map((name) => `${name}:${email}|`);
  const rows = await tx.loginThrottle.findMany({
    where: { OR: prefixes.map((prefix) => ({ key: { startsWith: prefix } })) },
    select: { key: true },
  });
  // The database reads an underscore in an address as any character.
  const keys = rows.map(({ key }) => key).filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  for (const limit of limitsEverywhere(email))
    keys.push(...[limit.name, waitName(limit), WAITS].map((name) => `${name}:${limit.key}`));
  await tx.loginThrottle.deleteMany({ where: { key: { in: keys } } });
}

/** Deletes expired counters. Every trigger calls it. */
export async function sweepLoginThrottle(app: Timed): Promise<number> {
  const { count } = await app.db.loginThrottle.deleteMany({ where: { expire: { lt: app.clock.now() } } });
  return count;
}

/** The name under which a limit's wait is stored: that of its count, unless the count must outlive the wait. */
const waitName = ({ name, window }: Limit) => (window === undefined ? name : `${name}-wait`);

async function waitOf(app: ThrottleApp, limit: Limit): Promise<AppError | null> {
  const { key, max } = limit;
  const state = await counterOf(app, waitName(limit)).get(key);
  if (!state || state.consumedPoints < max) return null;
  // A longer wait began before the clock was set back.
  if (state.msBeforeNext > MEMORY_SECONDS * 1000) return null;
  const retryAfter = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError('too_many_requests', tryAgainIn(retryAfter), {
    retryAfter,
  });
}

async function countAt(app: ThrottleApp, limit: Limit): Promise<void> {
  const { name, key, max, window, waitMax } = limit;
  const failures = counterOf(app, name, window);
  const state = await failures.penalty(key);
  if (state.consumedPoints < max) return;
  const { consumedPoints: earlierWaits } = await waitsOf(app).penalty(key);
  const wait = FIRST_WAIT_SECONDS * 2 ** (earlierWaits - 1);
  await counterOf(app, waitName(limit)).block(key, Math.min(wait, waitMax ?? MEMORY_SECONDS));
}

async function forget(app: ThrottleApp, { name, key }: Limit): Promise<void> {
  await counterOf(app, name).delete(key);
  await waitsOf(app).delete(key);
}

const waitsOf = (app: ThrottleApp) => counterOf(app, WAITS, MEMORY_SECONDS);

function counterOf(app: Db, name: string, seconds = WINDOW_SECONDS): RateLimiterPrisma {
  return new RateLimiterPrisma({
    storeClient: app.db,
    tableName: 'loginThrottle',
    keyPrefix: name,
    // The library requires a number; this file decides whether a limit is reached.
    points: WAITS_MAX,
    duration: seconds,
    clearExpiredByTimeout: false,
  });
}

function tryAgainIn(seconds: number): FilledText {
  if (seconds < 90) return say('Too many attempts. Try again in {wait} seconds.', { wait: seconds });
  return say('Too many attempts. Try again in {wait} minutes.', { wait: Math.ceil(seconds / 60) });
}
