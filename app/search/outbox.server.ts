import type { App } from '#app/app.ts';
import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { yieldToEventLoop } from '#app/platform/event-loop.server.ts';
import { templateOf } from '#app/platform/insert-rows.server.ts';
import type { DocumentFailure } from './engine.ts';
import type { Lease } from './lease.server.ts';

type OutboxApp = Pick<App, 'db' | 'clock'>;

/** A post whose change waits for the index. */
export interface Entry {
  postId: string;
  /** New with every change of the post. */
  marker: string;
  /** How often the engine refused it. */
  attempts: number;
}

/** A row has three parameters: with more, one statement holds the event loop for long. */
const ROWS_PER_STATEMENT = 50;
/** Entries that `readEntries` reads at once. */
export const BATCH_SIZE = 100;
const BACKOFF_FIRST_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60 * 1_000;

/**
 * Puts posts into the outbox, inside the transaction that changes them: one row a post, with a new marker. Also posts
 * that are gone. In id order, so that two transactions never wait for each other.
 */
export async function enqueue(tx: Transaction, clock: Clock, postIds: readonly string[]): Promise<void> {
  const ids = [...new Set(postIds)].sort();
  const enqueuedAt = clock.now();
  for (let from = 0; from < ids.length; from += ROWS_PER_STATEMENT) {
    const rows = ids.slice(from, from + ROWS_PER_STATEMENT);
    const values = rows.flatMap((id) => [id, newId(clock), enqueuedAt]);
    // Prisma has no upsert of many rows; this statement is the same on both databases.
    await tx.$executeRaw(
      templateOf([
        'INSERT INTO search_outbox (post_id, marker, enqueued_at, attempts, last_error) VALUES (',
        ...rows.flatMap((_, index) => [', ', ', ', index < rows.length - 1 ? ", 0, ''), (" : END]),
      ]),
      ...values,
    );
    if (ids.length > ROWS_PER_STATEMENT) await yieldToEventLoop();
  }
}

const END = `, 0, '')
  ON CONFLICT (post_id) DO UPDATE SET marker = excluded.marker, enqueued_at = excluded.enqueued_at, attempts = 0,
    next_attempt_at = NULL, last_error = ''`;

/**
 * Entries after a post, in id order, at most a hundred.
 * @param options.all also those that the engine refused a while ago and that are not due again
 */
export function readEntries(app: OutboxApp, afterId: string, { all }: { all: boolean }): Promise<Entry[]> {
  const due = { OR: [{ nextAttemptAt: null }, { nextAttemptAt: { lte: app.clock.now() } }] };
  return app.db.searchOutbox.findMany({
    where: { postId: { gt: afterId }, ...(all ? {} : due) },
    orderBy: { postId: 'asc' },
    take: BATCH_SIZE,
    select: { postId: true, marker: true, attempts: true },
  });
}

/** Whether an entry is due. */
export async function isAnyDue(app: OutboxApp): Promise<boolean> {
  return (await readEntries(app, '', { all: false })).length > 0;
}

/**
 * Deletes entries, in one statement: only with the markers that were read, and only for the holder of the lease.
 * @param options.release gives the lease back in the same commit
 * @returns the posts whose entries it deleted; the others changed meanwhile, or the lease is another's
 */
export async function deleteEntries(
  app: OutboxApp,
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
  const run = (db: Pick<App['db'], '$queryRaw'>) =>
    db.$queryRaw<{ post_id: string }[]>(statement, lease.holder, ...markers);
  const rows = release ? await lease.releaseAfter(run) : await run(app.db);
  return new Set(rows.map(({ post_id }) => post_id));
}

/** Tries a refused document again later, after a longer pause each time; every trigger tries it too. */
export async function postpone(app: OutboxApp, entry: Entry, { reason }: DocumentFailure): Promise<void> {
  const pause = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(entry.attempts, 20));
  await app.db.searchOutbox.updateMany({
    where: { postId: entry.postId, marker: entry.marker },
    data: {
      attempts: { increment: 1 },
      nextAttemptAt: new Date(app.clock.now().getTime() + pause),
      lastError: reason.slice(0, 500),
    },
  });
}
