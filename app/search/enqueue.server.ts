import { newId, type Clock } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';

// A row has three parameters; PostgreSQL takes 65,535, SQLite 32,766.
const ROWS_PER_STATEMENT = 1_000;

/**
 * Marks posts as changed, inside the transaction that changes them: one row a post, with a new marker. Also
 * posts that are gone. In id order, so that two transactions never wait for each other.
 */
export async function enqueue(tx: Transaction, clock: Clock, postIds: readonly string[]): Promise<void> {
  const ids = [...new Set(postIds)].sort();
  const enqueuedAt = clock.now();
  for (let from = 0; from < ids.length; from += ROWS_PER_STATEMENT) {
    const rows = ids.slice(from, from + ROWS_PER_STATEMENT);
    // Prisma has no upsert of many rows; this statement is the same on both databases.
    await tx.$executeRaw(
      templateOf([
        'INSERT INTO search_outbox (post_id, marker, enqueued_at, attempts, last_error, kept_for) VALUES (',
        ...rows.flatMap((_, index) => [', ', ', ', index < rows.length - 1 ? ", 0, '', ''), (" : END]),
      ]),
      ...rows.flatMap((id) => [id, newId(clock), enqueuedAt]),
    );
  }
}

const END = `, 0, '', '')
  ON CONFLICT (post_id) DO UPDATE SET marker = excluded.marker, enqueued_at = excluded.enqueued_at, attempts = 0,
    next_attempt_at = NULL, last_error = '', kept_for = ''`;

/** The literal parts of a tagged template, for a statement whose length is not known beforehand. */
function templateOf(parts: string[]): TemplateStringsArray {
  return Object.assign([...parts], { raw: parts });
}
