import { randomUUID } from 'node:crypto';
import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import type { Timed } from '#app/platform/services.ts';

const NAME = 'search-drain';
/** When the lease of a killed or stopped process ends. */
export const LEASE_MS = 5_000;
/** A lease with a later end was taken before the clock was set back. */
const LONGEST_MS = 60_000;

/** A released lease has no holder, so a running heartbeat cannot extend it. */
const released = { holder: '', expiresAt: new Date(0) };

/**
 * Says which process writes to the index. The lease saves work and protects a rebuild from other writers. Correctness
 * does not depend on it (decision 007), so it may be short.
 */
export class Lease {
  /** A random id of this taking of the lease. */
  readonly holder: string;
  /** The index (`IndexState.id`) that lacks only the changes in the outbox; `''` before the first one. */
  readonly index: string;
  readonly #app: Timed;
  #isReleased = false;

  constructor(app: Timed, holder: string, index: string) {
    this.#app = app;
    this.holder = holder;
    this.index = index;
  }

  /** Extends the lease, even after its end. @returns false when another process has taken it. */
  extend(): Promise<boolean> {
    return this.#update({ expiresAt: after(this.#app, LEASE_MS) });
  }

  /**
   * Records that this index lacks only the changes in the outbox. @returns false when another process has taken the
   * lease.
   */
  remember(index: string): Promise<boolean> {
    return this.#update({ details: index });
  }

  /** Runs `work`, extends the lease meanwhile and releases it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    // A lost lease is noticed by the statements that need it.
    const heartbeat = setInterval(() => void this.extend().catch(() => {}), LEASE_MS / 5);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
      await this.release();
    }
  }

  /** Gives the lease back. If the database fails, the lease ends by itself. */
  async release(): Promise<void> {
    if (!this.#isReleased) await this.#update(released).catch(() => {});
    this.#isReleased = true;
  }

  /** Runs `work` and gives the lease back, in one commit. */
  async releaseAfter<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const value = await inTransaction(this.#app.db, async (tx) => {
      const done = await work(tx);
      await this.#update(released, tx);
      return done;
    });
    this.#isReleased = true;
    return value;
  }

  async #update(data: Prisma.LeaseUpdateManyMutationInput, db: Transaction = this.#app.db): Promise<boolean> {
    const { count } = await db.lease.updateMany({ where: { name: NAME, holder: this.holder }, data });
    return count === 1;
  }
}

/**
 * Takes the lease when it is free or has ended; null when another process holds it.
 * @param options.force takes it even from another holder
 */
export async function takeLease(app: Timed, { force = false } = {}): Promise<Lease | null> {
  const holder = randomUUID();
  const [now, expiresAt, longest] = [after(app, 0), after(app, LEASE_MS), after(app, LONGEST_MS)];
  // Prisma's upsert has no condition.
  const [taken] = await app.db.$queryRaw<{ details: string }[]>`
    INSERT INTO leases (name, holder, expires_at, details) VALUES (${NAME}, ${holder}, ${expiresAt}, '')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
    WHERE leases.holder = '' OR leases.expires_at <= ${now} OR leases.expires_at > ${longest} OR ${force}
    RETURNING details`;
  return taken ? new Lease(app, holder, taken.details) : null;
}

function after(app: Timed, milliseconds: number): Date {
  return new Date(app.clock.now().getTime() + milliseconds);
}
