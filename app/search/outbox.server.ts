import { randomUUID } from 'node:crypto';
import { newId, type Clock } from '#app/platform/clock.ts';
import type { Prisma, Transaction, Database } from '#app/platform/database/client.server.ts';
import { insertRows, templateOf } from '#app/platform/database/insert-rows.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
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

/** A post whose change waits for the index. */
export interface Entry {
  postId: string;
  /** New with every change of the post. */
  marker: string;
}

/** More rows in one statement would block the event loop for too long. */
const ROWS_PER_STATEMENT = 50;
/** Entries that `readDueEntries` reads at once. */
export const BATCH_SIZE = 100;
/** The wait before a refused document is tried again. Every run of the trigger also tries it again. */
const REFUSED_MS = 60 * 60 * 1_000;

const onConflict = `(post_id) DO UPDATE SET marker = excluded.marker, enqueued_at = excluded.enqueued_at,
  attempts = 0, next_attempt_at = NULL, last_error = ''`;

/**
 * Puts changed posts (deleted ones too) into the outbox, inside the transaction that changes them: one row per post, with
 * a new marker. Inserts in id order, so that two transactions never wait for each other.
 */
export async function enqueue(tx: Transaction, clock: Clock, postIds: readonly string[]): Promise<void> {
  const enqueuedAt = clock.now();
  for (const ids of inChunks([...new Set(postIds)].sort(), ROWS_PER_STATEMENT)) {
    const rows = ids.map((postId) => ({ postId, marker: newId(clock), enqueuedAt }));
    await insertRows(tx, 'search_outbox', rows, onConflict);
  }
}

/** Due entries in id order: all but the entries of documents that the engine refused within the last hour. */
export function readDueEntries(app: Timed, limit = BATCH_SIZE): Promise<Entry[]> {
  return app.db.searchOutbox.findMany({
    where: { OR: [{ nextAttemptAt: null }, { nextAttemptAt: { lte: app.clock.now() } }] },
    orderBy: { postId: 'asc' },
    take: limit,
    select: { postId: true, marker: true },
  });
}

/** Whether the outbox has an entry that is due. */
export async function isAnyDue(app: Timed): Promise<boolean> {
  return (await readDueEntries(app, 1)).length > 0;
}

/**
 * Deletes entries, in one statement: only with the markers that were read, and only for the holder of the lease.
 * @param options.release gives the lease back in the same commit
 * @returns the posts whose entries it deleted; the other posts changed meanwhile, or another process has the lease
 */
export async function deleteEntries(
  app: Timed,
  lease: Lease,
  entries: Entry[],
  { release = false } = {},
): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const statement = templateOf([
    'DELETE FROM search_outbox WHERE EXISTS (SELECT 1 FROM leases WHERE holder = ',
    ') AND marker IN (',
    ...entries.map((_, index) => (index < entries.length - 1 ? ', ' : ') RETURNING post_id')),
  ]);
  const markers = entries.map(({ marker }) => marker);
  const run = (db: Pick<Database, '$queryRaw'>) =>
    db.$queryRaw<{ post_id: string }[]>(statement, lease.holder, ...markers);
  const rows = release ? await lease.releaseAfter(run) : await run(app.db);
  return new Set(rows.map(({ post_id }) => post_id));
}

/** Postpones the entry of a document that the engine refused. */
export async function postpone(
  { db, clock }: Timed,
  { postId, marker }: Entry,
  reason: string,
): Promise<void> {
  const nextAttemptAt = new Date(clock.now().getTime() + REFUSED_MS);
  await db.searchOutbox.updateMany({
    where: { postId, marker },
    data: { attempts: { increment: 1 }, nextAttemptAt, lastError: reason.slice(0, 500) },
  });
}

/** Makes postponed entries due. */
export async function retryRefused({ db }: Timed): Promise<void> {
  await db.searchOutbox.updateMany({
    where: { nextAttemptAt: { not: null } },
    data: { nextAttemptAt: null },
  });
}
