import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '#app/platform/database/client.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { startScript } from '#tests/support/child-process.ts';
import { createTestDatabase } from '#tests/support/databases.ts';
import { crowding } from '#tests/support/processor-time.ts';

const TRANSACTIONS = 50;
const RESOLUTION_MS = 5;
/**
 * The longest that the event loop may be held: 50 ms on a machine that does nothing else (`NIGHTLY=1`). SQLite that
 * waits for a lock by itself holds it for seconds.
 */
const HELD_MS = process.env.NIGHTLY ? 50 : 1_000;

let db: Database;
let file: string;

beforeEach(async () => {
  const target = databaseTarget((await createTestDatabase('sqlite')).url) as { file: string };
  file = target.file;
  db = await openDatabase({ dialect: 'sqlite', url: `file:${file}`, file });
  // The first query compiles Prisma's WebAssembly, which is not what is measured.
  await db.siteState.update({ where: { id: 1 }, data: { contentVersion: 0 } });
});
afterEach(() => db.$disconnect());

const counter = async () => (await db.siteState.findUniqueOrThrow({ where: { id: 1 } })).contentVersion;

const readModifyWrite = () =>
  inTransaction(db, async (tx) => {
    const { contentVersion } = await tx.siteState.findUniqueOrThrow({ where: { id: 1 } });
    await sleep(1); // others get their chance to come between
    await tx.siteState.update({ where: { id: 1 }, data: { contentVersion: contentVersion + 1 } });
  });

/** Longest time in milliseconds that the event loop was held while `work` ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  await work();
  delays.disable();
  return delays.max / 1e6 - RESOLUTION_MS;
}

test('fifty concurrent transactions beside another writing process all succeed, the event loop stays free', async () => {
  const before = await counter();
  const other = startScript('tests/support/processes/busy-writer.mjs', [file]);
  while (!other.stdout().includes('ready')) await sleep(5);
  const held = await longestHold(async () => {
    const results = await Promise.allSettled(Array.from({ length: TRANSACTIONS }, readModifyWrite));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
  other.child.kill('SIGTERM');
  expect(await other.ended).toBe(0);
  const writtenByOther = Number(other.stdout().replace('ready', ''));
  expect(writtenByOther).toBeGreaterThan(0);
  expect((await counter()) - before).toBe(TRANSACTIONS + writtenByOther);
  expect(held).toBeLessThan(HELD_MS * crowding());
});

test('reads answer while another process holds the write lock, and a write waits without holding the event loop', async () => {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const holder = new BetterSqlite3(file);
  holder.exec('BEGIN IMMEDIATE');
  // A Prisma call starts when somebody waits for it.
  const waiting = db.siteState.update({ where: { id: 1 }, data: { contentVersion: 7 } }).then(() => {});
  const longest = await longestHold(async () => {
    for (let index = 0; index < 100; index += 1) {
      expect(await counter()).toBe(0);
      await sleep(5);
    }
  });
  holder.exec('COMMIT');
  holder.close();
  await waiting;
  expect(await counter()).toBe(7);
  expect(longest).toBeLessThan(HELD_MS * crowding());
});
