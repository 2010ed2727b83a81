// A server's commits on SQLite stay short: checkpoints are made by a worker thread, and much of what a long transaction
// writes is in the log before its COMMIT.
import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '#app/platform/database/client.server.ts';
import type { Checkpoint } from '#app/platform/database/sqlite-wal.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { createWorkers } from '#app/workers/workers.server.ts';
import { createTestDatabase } from '#tests/support/databases.ts';

/** SQLite itself makes a checkpoint from 1,000 pages of the log on. */
const MANY_PAGES = 2_000;
/** From here on each commit makes the checkpoint. */
const MOST_PAGES = 16_000;
const PAGE_BYTES = 4_096;

let target: { dialect: 'sqlite'; url: string; file: string };
let db: Database;

beforeEach(async () => {
  target = databaseTarget((await createTestDatabase('sqlite')).url) as typeof target;
});
afterEach(() => db.$disconnect());

async function open(checkpoint: Checkpoint): Promise<void> {
  db = await openDatabase(target, { checkpoint });
  await db.$executeRawUnsafe('CREATE TABLE filler (text BLOB)');
}

/** A row takes a page and a bit. */
const fill = (on: Pick<Database, '$executeRawUnsafe'>, rows: number) =>
  on.$executeRawUnsafe(
    `INSERT INTO filler WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT zeroblob(4000) FROM n`,
  );

function logState(): { log: number; checkpointed: number } {
  const other = new BetterSqlite3(target.file, { readonly: true });
  const [state] = other.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
  other.close();
  return state;
}

test('a commit leaves the checkpoint to others, one at a time', async () => {
  let finish = () => {};
  const checkpoint = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  await open(checkpoint);
  await fill(db, 10);
  expect(checkpoint).not.toHaveBeenCalled();
  await fill(db, MANY_PAGES);
  await db.$transaction((tx) => fill(tx, MANY_PAGES));
  expect(checkpoint.mock.calls).toEqual([[target.file]]);
  expect(logState().checkpointed).toBe(0);
  finish();
  await vi.waitFor(async () => {
    await fill(db, 1);
    expect(checkpoint).toHaveBeenCalledTimes(2);
  });
});

test('a worker thread makes the checkpoint, and the log begins anew', async () => {
  const workers = createWorkers();
  try {
    await open(workers.checkpoint);
    await fill(db, MANY_PAGES);
    expect(logState().log).toBeGreaterThan(MANY_PAGES);
    await vi.waitFor(() => expect(logState().checkpointed).toBeGreaterThan(MANY_PAGES), { timeout: 20_000 });
    await fill(db, 1);
    expect(logState().log).toBeLessThan(100);
  } finally {
    await workers.close();
  }
});

test('commits make the checkpoint of a very long log, when nobody else does', async () => {
  await open(() => Promise.reject(new Error('No thread.')));
  await fill(db, MOST_PAGES);
  const { log, checkpointed } = logState();
  expect(log).toBeGreaterThan(MOST_PAGES);
  expect(checkpointed).toBe(log);
});

test('a long transaction writes into the log before it commits, not all at once', async () => {
  await open(() => Promise.resolve());
  await db.$transaction(async (tx) => {
    await fill(tx, MANY_PAGES);
    const inLog = statSync(`${target.file}-wal`).size / PAGE_BYTES;
    expect(inLog).toBeGreaterThan(MANY_PAGES - 600);
  });
});
