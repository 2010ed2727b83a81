import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '../json.ts';
import {
  waitWhileBusy,
  type MigrationSession,
  type MigrationTransaction,
} from './migration-session.server.ts';

/** Target duration of a batch. Writers of the same rows (PostgreSQL) or of any row (SQLite) wait for its end. */
const BATCH_MS = 100;
const FIRST_ROWS = 100;
const ROWS_MAX = 5_000;
/** The shortest pause between two batches. After a longer batch the pause is as long as the batch. */
const PAUSE_MS = 20;
const BUSY_MS = 5 * 60_000;

/** The part of a migration that changes many rows, in short transactions while servers run (decision 032). */
export interface Backfill {
  /** Name of the migration whose SQL adds what this fills. */
  migration: string;
  table: string;
  /** A column of text with a unique index: batches are ranges of it. */
  key: string;
  /** Fills the rows with a key in `range`, in a transaction of its own. Rows that were written meanwhile are filled already. */
  fill(tx: MigrationTransaction, range: { after: string; upTo: string }): Promise<void>;
}

export interface BackfillProgress {
  /** Key of the last row of the last batch. */
  after: string;
  /** Rows that are filled so far. */
  done: number;
}

export const noProgress: BackfillProgress = { after: '', done: 0 };

/** `items`: rows of this run. */
type ReportProgress = (progress: { step: string; done: number; total: number; items: number }) => void;

/**
 * Fills the rest of the table. Each batch is committed together with the progress, so a killed run continues where it was.
 * @param onProgress may throw to end the run between two batches
 */
export async function runBackfill(
  session: MigrationSession,
  backfill: Backfill,
  progress: BackfillProgress,
  onProgress: ReportProgress,
): Promise<void> {
  const [counted] = await session.query<{ count: number | string }>(
    `SELECT count(*) AS "count" FROM "${backfill.table}"`,
  );
  const step = `Filling ${backfill.table} (${backfill.migration})`;
  let { after, done } = progress;
  let rows = FIRST_ROWS;
  for (;;) {
    const total = Math.max(done, Number(counted!.count));
    onProgress({ step, done, total, items: done - progress.done });
    const started = performance.now();
    const batch = await fillBatch(session, backfill, { after, done }, rows);
    if (batch === null) return;
    ({ after, done } = batch);
    const tookMs = performance.now() - started;
    if (tookMs > BATCH_MS) rows = Math.max(1, Math.floor(rows / 2));
    else if (tookMs < BATCH_MS / 2) rows = Math.min(ROWS_MAX, rows * 2);
    await sleep(Math.max(PAUSE_MS, tookMs));
  }
}

/** @returns the progress after the batch; null when no row was left */
function fillBatch(
  session: MigrationSession,
  { migration, table, key, fill }: Backfill,
  { after, done }: BackfillProgress,
  rows: number,
): Promise<BackfillProgress | null> {
  const batch = () =>
    session.transaction(async (tx) => {
      const keys = await tx.query<{ key: string }>(
        `SELECT "${key}" AS "key" FROM "${table}" WHERE "${key}" > $1 ORDER BY "${key}" LIMIT ${rows} ${session.lockRows}`,
        [after],
      );
      if (keys.length === 0) return null;
      const next = { after: keys.at(-1)!.key, done: done + keys.length };
      await fill(tx, { after, upTo: next.after });
      await tx.query(
        'UPDATE _prisma_migrations SET logs = $1 WHERE migration_name = $2 AND rolled_back_at IS NULL',
        [progressText(next), migration],
      );
      return next;
    });
  return waitWhileBusy(
    batch,
    BUSY_MS,
    `Other work has held the table ${table} for five minutes. What was filled stays: run npm run db:migrate again when that work is done.`,
  );
}

/** The text in Prisma's column `logs` until the migration is finished. */
export function progressText(progress: BackfillProgress): string {
  return JSON.stringify(progress);
}

/** Null if another tool wrote the text. */
export function readProgress(logs: string | null): BackfillProgress | null {
  const read = (logs === null ? null : parseJson(logs)) as Partial<BackfillProgress> | null | undefined;
  if (typeof read?.after !== 'string' || typeof read.done !== 'number') return null;
  return { after: read.after, done: read.done };
}
