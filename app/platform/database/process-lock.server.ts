import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '#app/platform/errors.ts';
import { makeFolder, createPrivateFile } from '#app/platform/files/disk.server.ts';
import type { DatabaseTarget } from '#app/platform/env.server.ts';
import { writerUrl } from './postgres.server.ts';

/** `shared`: any number at once; `exclusive`: one, and no shared ones beside it. */
export type LockMode = 'shared' | 'exclusive';

/** A held lock. It ends with its process, however that ends. */
export interface ProcessLock {
  release(): Promise<void>;
}

/**
 * Takes a lock between all processes that use one database.
 * @param name a short word; one file beside a SQLite database, one advisory key on PostgreSQL
 * @param waitMs how long to try; 0 tries once
 * @returns undefined when others still hold it after that time
 */
export async function takeDatabaseLock(
  target: DatabaseTarget,
  name: string,
  mode: LockMode,
  waitMs: number,
): Promise<ProcessLock | undefined> {
  if (target.dialect === 'sqlite') return takeFileLock(`${target.file}.${name}-lock`, mode, waitMs);
  return takeAdvisoryLock(target.url, name, mode, waitMs);
}

/** Takes a lock on a file, which is made when it is missing; see `takeDatabaseLock`. */
export async function takeFileLock(
  file: string,
  mode: LockMode,
  waitMs: number,
): Promise<ProcessLock | undefined> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  await makeFolder(path.dirname(file));
  createPrivateFile(file);
  // An empty SQLite file: its locks belong to the operating system, and can be shared or exclusive.
  const lock = new BetterSqlite3(file, { timeout: 0 });
  const taken = await tryFor(waitMs, async () => {
    try {
      lock.pragma('journal_mode = MEMORY'); // no second file beside the lock
      lock.exec(mode === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
      if (mode === 'shared') lock.prepare('SELECT count(*) FROM sqlite_schema').get();
      return true;
    } catch (error) {
      if (lock.inTransaction) lock.exec('ROLLBACK');
      if (!codeOf(error)?.startsWith('SQLITE_BUSY')) throw error;
      return false;
    }
  });
  if (!taken) lock.close();
  return taken ? { release: async () => void lock.close() } : undefined;
}

async function takeAdvisoryLock(
  url: string,
  name: string,
  mode: LockMode,
  waitMs: number,
): Promise<ProcessLock | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: await writerUrl(url),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  await client.connect();
  client.on('error', () => {}); // a lost connection loses the lock; the connection that does the work reports the loss
  // The lock belongs to an open transaction: PgBouncer in transaction mode gives a session, with its locks, to others.
  // Many servers end a transaction that sends nothing for a minute.
  await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  const call = mode === 'exclusive' ? 'pg_try_advisory_xact_lock' : 'pg_try_advisory_xact_lock_shared';
  const taken = await tryFor(waitMs, async () => {
    const { rows } = await client.query<{ locked: boolean }>(`SELECT ${call}(hashtext($1)) AS locked`, [
      `dateline ${name}`,
    ]);
    return rows[0]!.locked;
  });
  if (!taken) await client.end();
  return taken ? { release: () => client.end() } : undefined;
}

async function tryFor(waitMs: number, attempt: () => Promise<boolean>): Promise<boolean> {
  const started = performance.now();
  for (;;) {
    if (await attempt()) return true;
    if (performance.now() - started >= waitMs) return false;
    await sleep(50);
  }
}
