import { newId, type Clock } from '#app/platform/clock.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { insertRows, templateOf } from '#app/platform/database/insert-rows.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { Timed } from '#app/platform/services.ts';
import type { Lease } from './lease.server.ts';

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
