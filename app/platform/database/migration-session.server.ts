import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, AppError } from '#app/platform/errors.ts';
import { makeFolder, createPrivateFile } from '#app/platform/files/disk.server.ts';
import { writerUrl } from './postgres.server.ts';

const LOCK_WAIT_MS = 60_000;
const PRISMA_LOCK_KEY = 72707369;

/** SQL inside a transaction. */
export interface MigrationTransaction {
  /** Runs one statement, whose parameters are `$1`, `$2`, … on both databases. */
  query<Row extends object>(sql: string, parameters?: (string | number | null)[]): Promise<Row[]>;
}

/** One connection that holds the migration lock. */
export interface MigrationSession extends MigrationTransaction {
  /** Runs any number of statements. */
  run(sql: string): Promise<void>;
  /** All of `work` or nothing; `work` must have no effect outside the database. */
  transaction<T>(work: (tx: MigrationTransaction) => Promise<T>): Promise<T>;
  /** The time of a record, in SQL. */
  now: string;
  /** A SELECT that finds rows with a broken foreign key. */
  brokenReferences: string;
  close(): Promise<void>;
}

/** Opens a database file, and creates it if it is missing. */
export async function openSqliteSession(file: string): Promise<MigrationSession> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  await makeFolder(path.dirname(file));
  createPrivateFile(file);
  createPrivateFile(`${file}.migrate-lock`);
  // The lock is a file of its own: a table in the database would be drift.
  const lock = new BetterSqlite3(`${file}.migrate-lock`, { timeout: 0 });
  await waitWhileBusy(() => lock.exec('BEGIN EXCLUSIVE'), LOCK_WAIT_MS, anotherMigrates);
  const db = new BetterSqlite3(file, { timeout: 10_000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  // Rebuilding a table needs this off, and inside a transaction the pragma does nothing.
  db.pragma('foreign_keys = OFF');
  const session: MigrationSession = {
    async run(sql) {
      db.exec(sql);
    },
    async query<Row extends object>(sql: string, parameters: (string | number | null)[] = []) {
      const statement = db.prepare(sql);
      // SQLite takes `$1` for a name.
      const named = Object.fromEntries(parameters.map((value, index) => [index + 1, value]));
      if (statement.reader) return statement.all(named) as Row[];
      statement.run(named);
      return [];
    },
    async transaction(work) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = await work(session);
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    // Prisma writes milliseconds.
    now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
    brokenReferences: 'SELECT 1 FROM pragma_foreign_key_check LIMIT 1',
    // The transaction has the only write lock.
    async close() {
      db.close();
      lock.close();
    },
  };
  return session;
}

/** @param url that of `DATABASE_URL`; of several hosts the one that takes writes is used */
export async function openPostgresSession(url: string): Promise<MigrationSession> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await writerUrl(url), connectionTimeoutMillis: 5_000 });
  await client.connect();
  client.on('error', () => {}); // the next query reports a lost connection
  const takeLock = async () => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      PRISMA_LOCK_KEY,
    ]);
    if (!rows[0]?.locked) throw Object.assign(new Error('locked'), { code: LOCK_NOT_AVAILABLE });
  };
  await waitWhileBusy(takeLock, LOCK_WAIT_MS, anotherMigrates);
  const session: MigrationSession = {
    async run(sql) {
      await client.query(sql);
    },
    async query<Row extends object>(sql: string, parameters?: (string | number | null)[]) {
      return (await client.query<Row>(sql, parameters)).rows;
    },
    async transaction(work) {
      // While a statement waits for a table's lock, all later statements wait behind it, reads too.
      await client.query(`BEGIN; SET LOCAL lock_timeout = '500ms'`);
      try {
        const result = await work(session);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
    now: 'now()',
    brokenReferences: 'SELECT 1 WHERE false', // PostgreSQL checks references itself
    async close() {
      await client.end();
    },
  };
  return session;
}

const anotherMigrates =
  'Another process has been migrating this database for more than a minute. Wait for it, or end it, and try again.';

const LOCK_NOT_AVAILABLE = '55P03';
// PostgreSQL: a lock that is not free, a serialisation failure, a deadlock.
const busy = /^(SQLITE_BUSY\w*|55P03|40001|40P01)$/;

/**
 * Runs `work` again and again while another process locks the database.
 * @throws AppError `unavailable` with `message` after `waitMs`
 */
export async function waitWhileBusy<T>(
  work: () => T | Promise<T>,
  waitMs: number,
  message: string,
): Promise<T> {
  const started = performance.now();
  for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      return await work();
    } catch (error) {
      if (!busy.test(codeOf(error) ?? '')) throw error;
      if (performance.now() - started > waitMs) throw new AppError('unavailable', message);
      await sleep(pause);
    }
  }
}
