import { randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import type { Prisma, Transaction } from '#app/platform/database.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/transaction.server.ts';

type LeaseApp = Pick<App, 'db' | 'clock'>;

const NAME = 'search-drain';
/** The lease of a process that was killed or stopped ends after this. */
const LEASE_MS = 5_000;
/** A lease that ends later was taken before the clock was set back. */
const LONGEST_MS = 60_000;

/** Without a holder, so that a heartbeat that is still under way does not take it again. */
const released = { holder: '', expiresAt: new Date(0) };

/**
 * Says which process writes to the index. It saves work and keeps a rebuild alone; that no post stays stale does not
 * depend on it (decision 007), so it may be short.
 */
export class Lease {
  /** Names this holding of the lease and no other. */
  readonly holder: string;
  /** The index (`IndexState.id`) that lacks nothing but what the outbox holds; `''` before the first one. */
  readonly index: string;
  readonly #app: LeaseApp;
  #isReleased = false;

  constructor(app: LeaseApp, holder: string, index: string) {
    this.#app = app;
    this.holder = holder;
    this.index = index;
  }

  /** Extends the lease, also one that has run out. @returns false when another process has taken it. */
  extend(): Promise<boolean> {
    return this.#update({ expiresAt: after(this.#app, LEASE_MS) });
  }

  /** Remembers that from now on the outbox holds all that this index lacks. @returns false without the lease. */
  remember(index: string): Promise<boolean> {
    return this.#update({ details: index });
  }

  /** Runs `work`, extends the lease meanwhile and releases it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    // A lost lease shows in the statements that need it.
    const heartbeat = setInterval(() => void this.extend().catch(() => {}), LEASE_MS / 5);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      await this.release();
    }
  }

  /** Whether this process has given it back. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Gives it back; a database that fails leaves it to its end. */
  async release(): Promise<void> {
    if (!this.#isReleased) await this.#update(released).catch(() => {});
    this.#isReleased = true;
  }

  /** Does `work` and gives the lease back, in one commit. */
  async releaseAfter<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const value = await inTransaction(this.#app.db, async (tx) => {
      const done = await work(tx);
      await tx.lease.updateMany({ where: { name: NAME, holder: this.holder }, data: released });
      return done;
    });
    this.#isReleased = true;
    return value;
  }

  async #update(data: Prisma.LeaseUpdateManyMutationInput): Promise<boolean> {
    const { count } = await this.#app.db.lease.updateMany({
      where: { name: NAME, holder: this.holder },
      data,
    });
    return count === 1;
  }
}

/** Takes the lease when it is free or has run out; null when another process holds it. */
export function takeLease(app: LeaseApp): Promise<Lease | null> {
  return take(app, isFree(app));
}

/** The same within a transaction, whose commit takes it; null also before the first drain of all. */
export async function takeLeaseIn(tx: Transaction, app: LeaseApp): Promise<Lease | null> {
  const data = { holder: randomUUID(), expiresAt: after(app, LEASE_MS) };
  const [taken] = await tx.lease.updateManyAndReturn({ where: { name: NAME, ...isFree(app) }, data });
  return taken ? new Lease(app, data.holder, taken.details) : null;
}

/** Takes the lease whoever holds it. */
export async function takeOverLease(app: LeaseApp): Promise<Lease> {
  for (;;) {
    const lease = await take(app, {});
    if (lease) return lease;
  }
}

function isFree(app: LeaseApp): Prisma.LeaseWhereInput {
  return { OR: [{ expiresAt: { lte: app.clock.now() } }, { expiresAt: { gt: after(app, LONGEST_MS) } }] };
}

async function take(app: LeaseApp, where: Prisma.LeaseWhereInput): Promise<Lease | null> {
  const data = { holder: randomUUID(), expiresAt: after(app, LEASE_MS) };
  const taken = await app.db.lease.updateManyAndReturn({ where: { name: NAME, ...where }, data });
  if (taken[0]) return new Lease(app, data.holder, taken[0].details);
  if ((await app.db.lease.count({ where: { name: NAME } })) > 0) return null;
  try {
    await app.db.lease.create({ data: { name: NAME, ...data } });
    return new Lease(app, data.holder, '');
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function after(app: LeaseApp, milliseconds: number): Date {
  return new Date(app.clock.now().getTime() + milliseconds);
}
