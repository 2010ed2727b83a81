import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Transaction } from './database.server.ts';
import { databaseTarget, type DatabaseTarget, type Dialect } from './env.server.ts';
import { isAppError } from './errors.ts';
import { databaseFailure } from './failure.server.ts';
import {
  conflict,
  openPostgresSession,
  openSqliteSession,
  type AppliedMigration,
  type Migration,
} from './migration-session.server.ts';
import { projectRoot } from './project.server.ts';

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
 * Applies the missing migrations in order, under a lock that ends with its process. Each migration and its record are
 * one transaction, so a killed run leaves nothing half-applied and the next run continues.
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

function tableFor(dialect: Dialect): string {
  return dialect === 'sqlite'
    ? MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'DATETIME').replace('CURRENT_NOW', 'current_timestamp')
    : MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'TIMESTAMPTZ').replace('CURRENT_NOW', 'now()');
}
