import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from './database.server.ts';
import { databaseTarget, type DatabaseTarget, type Dialect } from './env.server.ts';
import { AppError, isAppError } from './errors.ts';
import { databaseFailure } from './failure.server.ts';
import { writerUrl } from './postgres-hosts.server.ts';
import { createPrivateFile } from './private-file.server.ts';
import { projectRoot } from './project.server.ts';

/** A migration folder of one side. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `migration.sql`, as Prisma records it. */
  checksum: string;
}

export interface MigrationResult {
  /** Name of the newest migration: the tag that backups carry. */
  migrationTag: string;
  /** Names of the migrations that this call applied, in order. */
  appliedMigrations: string[];
}

// Layout and checksum rule are those of `prisma migrate deploy`, so that both agree about a database.
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMP_TYPE,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMP_TYPE,
  "started_at" TIMESTAMP_TYPE NOT NULL DEFAULT CURRENT_NOW,
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

const LOCK_WAIT_MS = 60_000;
const PRISMA_LOCK_KEY = 72707369;

/** The migrations that the code brings for one side, oldest first. */
export function migrationsOf(dialect: Dialect): Migration[] {
  const folder = path.join(projectRoot, 'prisma', dialect, 'migrations');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** The migration tag of the code: the newest migration's name, the same on both sides. */
export function codeMigrationTag(): string {
  return migrationsOf('sqlite').at(-1)!.name;
}

/** The newest migration that a database has; undefined when it was never migrated. */
export async function databaseMigrationTag(db: Pick<Transaction, '$queryRaw'>): Promise<string | undefined> {
  try {
    const rows = await db.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
      ORDER BY migration_name DESC LIMIT 1`;
    return rows[0]?.name;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}

function isMissingTable(error: unknown): boolean {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } };
  return meta?.driverAdapterError?.cause?.kind === 'TableDoesNotExist';
}

/**
 * Applies what is missing, in order, under a lock that dies with its process. Each migration and its
 * record are one transaction, so a killed run leaves nothing half-applied and the next goes on.
 * @param options.upTo name of the last migration to apply; all of them without it
 * @throws AppError `conflict` when the database's history does not fit the code; the message says what to do.
 */
export async function migrate(
  target: string | DatabaseTarget,
  options: { upTo?: string } = {},
): Promise<MigrationResult> {
  const database = typeof target === 'string' ? databaseTarget(target) : target;
  const session = await (
    database.dialect === 'sqlite' ? openSqliteSession(database.file) : openPostgresSession(database.url)
  ).catch((error: unknown) => {
    throw isAppError(error) ? error : databaseFailure(error);
  });
  try {
    await session.run(tableFor(database.dialect));
    const { upTo } = options;
    const migrations = migrationsOf(database.dialect).filter(({ name }) => !upTo || name <= upTo);
    const missing = missingMigrations(migrations, await session.applied());
    for (const migration of missing) await session.apply(migration);
    return { migrationTag: migrations.at(-1)!.name, appliedMigrations: missing.map(({ name }) => name) };
  } finally {
    await session.close();
  }
}

/** True when the database has every migration of the code. */
export async function isMigrated(
  db: { $queryRawUnsafe<T>(sql: string): Promise<T> },
  dialect: Dialect,
): Promise<boolean> {
  const finished =
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';
  const rows = await db.$queryRawUnsafe<{ migration_name: string }[]>(finished).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrationsOf(dialect).every(({ name }) => applied.has(name));
}

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** One connection that holds the migration lock. */
interface MigrationSession {
  run(sql: string): Promise<void>;
  applied(): Promise<AppliedMigration[]>;
  apply(migration: Migration): Promise<void>;
  close(): Promise<void>;
}

function missingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.migration_name);
    if (!row.finished)
      throw conflict(
        `Migration ${row.migration_name} failed half-way in an earlier run. Restore the backup made before it, or repair the database and run "prisma migrate resolve".`,
      );
    if (!migration)
      throw conflict(
        `The database has migration ${row.migration_name}, which this version of Dateline does not know. Install the newer version, or restore a backup made with this one.`,
      );
    if (migration.checksum !== row.checksum)
      throw conflict(
        `Migration ${row.migration_name} was changed after it had been applied. Put the original migration.sql back.`,
      );
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter((migration) => !done.has(migration.name));
}

async function openSqliteSession(file: string): Promise<MigrationSession> {
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  mkdirSync(path.dirname(file), { recursive: true });
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

async function openPostgresSession(url: string): Promise<MigrationSession> {
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

function tableFor(dialect: Dialect): string {
  return dialect === 'sqlite'
    ? MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'DATETIME').replace('CURRENT_NOW', 'current_timestamp')
    : MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'TIMESTAMPTZ').replace('CURRENT_NOW', 'now()');
}

function conflict(message: string): AppError {
  return new AppError('conflict', message);
}
