import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from './errors.ts';
import { makeFolder } from './make-folder.server.ts';
import { writerUrl } from './postgres-hosts.server.ts';
import { createPrivateFile } from './private-file.server.ts';

const LOCK_WAIT_MS = 60_000;
const PRISMA_LOCK_KEY = 72707369;

/** A migration folder of one side. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `migration.sql`, as Prisma records it. */
  checksum: string;
}

export interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** One connection that holds the migration lock. */
export interface MigrationSession {
  run(sql: string): Promise<void>;
  applied(): Promise<AppliedMigration[]>;
  apply(migration: Migration): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database of a file, which is made where it is missing. */
export async function openSqliteSession(file: string): Promise<MigrationSession> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  await makeFolder(path.dirname(file));
  createPrivateFile(file);
  createPrivateFile(`${file}.migrate-lock`);
  // The lock is a file of its own: a table in the database would be drift.
  const lock = new BetterSqlite3(`${file}.migrate-lock`, { timeout: 0 });
  await whileLocked(() => lock.exec('BEGIN EXCLUSIVE'));
  const db = new BetterSqlite3(file, { timeout: 10_000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  // Rebuilding a table needs this off, and inside a transaction the pragma does nothing.
  db.pragma('foreign_keys = OFF');
  return {
    async run(sql) {
      db.exec(sql);
    },
    async applied() {
      const rows = db
        .prepare(
          'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
        )
        .all() as { migration_name: string; checksum: string; finished: number }[];
      return rows.map((row) => ({ ...row, finished: row.finished === 1 }));
    },
    async apply(migration) {
      db.transaction(() => {
        db.exec(migration.sql);
        db.prepare(
          'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, started_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)',
        ).run(randomUUID(), migration.checksum, migration.name, ...timestamps());
      }).immediate();
      const broken = db.pragma('foreign_key_check') as unknown[];
      if (broken.length > 0) throw conflict(`Migration ${migration.name} left rows that point to nothing.`);
    },
    async close() {
      db.close();
      lock.close();
    },
  };
}

/** @param url that of `DATABASE_URL`; of several hosts the one that takes writes is used */
export async function openPostgresSession(url: string): Promise<MigrationSession> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: await writerUrl(url), connectionTimeoutMillis: 5_000 });
  await client.connect();
  client.on('error', () => {}); // a lost connection surfaces in the query that meets it
  await whileLocked(async () => {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      PRISMA_LOCK_KEY,
    ]);
    if (!rows[0]?.locked) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
  });
  return {
    async run(sql) {
      await client.query(sql);
    },
    async applied() {
      const { rows } = await client.query<AppliedMigration>(
        'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
      );
      return rows;
    },
    async apply(migration) {
      await client.query('BEGIN');
      try {
        await client.query(migration.sql);
        await client.query(
          'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, started_at, applied_steps_count) VALUES ($1, $2, $3, now(), now(), 1)',
          [randomUUID(), migration.checksum, migration.name],
        );
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
    async close() {
      await client.end();
    },
  };
}

async function whileLocked(take: () => unknown): Promise<void> {
  const started = performance.now();
  for (;;) {
    try {
      await take();
      return;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
      if (performance.now() - started > LOCK_WAIT_MS)
        throw new AppError(
          'unavailable',
          'Another process has been migrating this database for more than a minute. Wait for it, or end it, and try again.',
        );
      await sleep(50);
    }
  }
}

function timestamps(): [number, number] {
  // The clock of a record that nothing reads; Prisma writes it in milliseconds on SQLite.
  const now = new Date().getTime();
  return [now, now];
}

/** The database's history does not fit the code. */
export function conflict(message: string): AppError {
  return new AppError('conflict', message);
}
