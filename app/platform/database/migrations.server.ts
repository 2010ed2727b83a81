import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { databaseTarget, type DatabaseTarget, type Dialect } from '#app/platform/env.server.ts';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { application, projectRoot } from '#app/platform/project.server.ts';
import type { Transaction } from './client.server.ts';
import { asMissingRights, databaseFailure } from './failure.server.ts';
import {
  openPostgresSession,
  openSqliteSession,
  waitWhileBusy,
  type MigrationSession,
} from './migration-session.server.ts';

/** The last migration of each version that was released, oldest first. A release adds its own line. */
const lastMigrations: readonly (readonly [version: string, migration: string])[] = [
  ['1.0.0', '20261128171000_fewer_statements_in_triggers'],
];

/** The version that brought a migration; what no release has yet comes with this version. */
export function versionOfMigration(name: string): string {
  return lastMigrations.find(([, last]) => name <= last)?.[0] ?? application.version;
}

/** What the record of an applied migration says, so that an older version can name the one that is needed. */
export function versionRecord(name: string): string {
  return `Dateline ${versionOfMigration(name)}`;
}

/** The version in such a record. */
export function versionInRecord(record: string | null): string | undefined {
  return /^Dateline (\d{1,9}\.\d{1,9}\.\d{1,9}\S{0,50})$/.exec(record ?? '')?.[1];
}

/** Whether a version is later than another: what is before a hyphen decides. */
export function isLaterVersion(version: string, other: string): boolean {
  const numbers = (text: string) => text.split(/[-+]/)[0]!.split('.').map(Number);
  const [left, right] = [numbers(version), numbers(other)];
  const index = left.findIndex((number, at) => number !== right[at]);
  return index !== -1 && left[index]! > (right[index] ?? 0);
}

/** What to install where migrations or backups come from a later version. */
export function laterVersion(version: string | undefined): string {
  return version && isLaterVersion(version, application.version)
    ? `Dateline ${version} or newer`
    : `the newer version (this is Dateline ${application.version})`;
}

/** A migration folder of one database. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of `migration.sql`, as Prisma records it. */
  checksum: string;
}

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: unknown;
  logs: string | null;
}

export interface MigrationResult {
  /** Name of the newest migration, which backups record. */
  migrationTag: string;
  /** Names of the migrations that this call applied, in order. */
  appliedMigrations: string[];
}

const TABLES_FREE_MS = 5 * 60_000;

// Layout and checksums are those of `prisma migrate deploy`, so that both tools agree about a database.
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

/** The migrations of the code for one database, oldest first. */
export function migrationsOf(dialect: Dialect): Migration[] {
  const folder = path.join(projectRoot, 'prisma', dialect, 'migrations');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: sha256Of(sql) };
    });
}

/** The migration tag of the code: the newest migration's name, the same for both databases. */
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

interface MigrateOptions {
  /** Name of the last migration to apply. Absent: all are applied. */
  upTo?: string;
  /** Absent: the migrations of the code. */
  migrations?: Migration[];
}

/**
 * Applies the missing migrations in order, under a lock that ends with its process. The SQL of a migration and its record
 * are one transaction: a killed run leaves nothing half-applied and the next run continues.
 * @throws AppError `conflict` when the database's history does not fit the code; the message says what to do.
 */
export async function migrate(
  target: string | DatabaseTarget,
  options: MigrateOptions = {},
): Promise<MigrationResult> {
  const database = typeof target === 'string' ? databaseTarget(target) : target;
  const { upTo, migrations = migrationsOf(database.dialect) } = options;
  const targets = migrations.filter(({ name }) => !upTo || name <= upTo);
  const session = await (
    database.dialect === 'sqlite' ? openSqliteSession(database.file) : openPostgresSession(database.url)
  ).catch((error: unknown) => {
    throw isAppError(error) ? error : databaseFailure(error);
  });
  try {
    await session.run(tableFor(database.dialect));
    const missing = missingMigrations(targets, await readApplied(session));
    for (const migration of missing) await apply(session, migration);
    return { migrationTag: targets.at(-1)!.name, appliedMigrations: missing.map(({ name }) => name) };
  } catch (error) {
    throw asMissingRights(error);
  } finally {
    await session.close();
  }
}

/** Runs a migration's SQL and records it. */
async function apply(session: MigrationSession, { name, sql, checksum }: Migration): Promise<void> {
  const applied = () =>
    session.transaction(async (tx) => {
      await session.run(sql);
      await tx.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, finished_at, started_at, applied_steps_count)
         VALUES ($1, $2, $3, $4, ${session.now}, ${session.now}, 1)`,
        [randomUUID(), checksum, name, versionRecord(name)],
      );
      if ((await tx.query(session.brokenReferences)).length > 0)
        throw conflict(`Migration ${name} would leave rows that point to nothing.`);
    });
  await waitWhileBusy(
    applied,
    TABLES_FREE_MS,
    `Migration ${name} waited for five minutes for tables that other work holds, such as pg_dump. Run npm run db:migrate again when that is done.`,
  );
}

function readApplied(session: MigrationSession): Promise<AppliedMigration[]> {
  return session.query<AppliedMigration>(
    'SELECT migration_name, checksum, finished_at, logs FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
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
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = byName.get(row.migration_name);
    if (!migration)
      throw conflict(
        `The database has migration ${row.migration_name}, which this version of Dateline does not know. Install ${laterVersion(versionInRecord(row.logs))}, or restore a backup made with this one.`,
      );
    if (migration.checksum !== row.checksum)
      throw conflict(
        `Migration ${row.migration_name} was changed after it had been applied. Put the original migration.sql back.`,
      );
    if (row.finished_at === null)
      throw conflict(
        `Migration ${row.migration_name} failed half-way in an earlier run. Restore the backup made before it.`,
      );
  }
  const done = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !done.has(name));
}

function tableFor(dialect: Dialect): string {
  return dialect === 'sqlite'
    ? MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'DATETIME').replace('CURRENT_NOW', 'current_timestamp')
    : MIGRATIONS_TABLE.replaceAll('TIMESTAMP_TYPE', 'TIMESTAMPTZ').replace('CURRENT_NOW', 'now()');
}

/** The database's history does not fit the code. */
function conflict(message: string): AppError {
  return new AppError('conflict', message);
}
