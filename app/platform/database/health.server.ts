import { statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import type { Clock } from '#app/platform/clock.ts';
import type { Env, DatabaseTarget } from '#app/platform/env.server.ts';
import { messageOf, codeOf, AppError } from '#app/platform/errors.ts';
import { isOnReadOnlyDisk } from '#app/platform/files/disk.server.ts';
import { sleepInSteps } from '#app/platform/jobs/sleep-in-steps.server.ts';
import type { Database } from './client.server.ts';
import { databaseFailure } from './failure.server.ts';
import { isMigrated } from './migrations.server.ts';
import { writerUrl } from './postgres.server.ts';
import { whileBusy } from './sqlite-busy.server.ts';

/** A difference beyond this is worth a warning: posts would be published that much early or late. */
const CLOCK_SKEW_LIMIT_MS = 5_000;

const queries = {
  postgresql: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS milliseconds`,
  sqlite: `SELECT (julianday('now') - 2440587.5) * 86400000.0 AS milliseconds`,
};

/** How far the database's clock is ahead of the process's, in milliseconds; negative when it is behind. */
export async function readClockSkew(app: { db: Database; clock: Clock; env: Env }): Promise<number> {
  const before = app.clock.now().getTime();
  const [row] = await app.db.$queryRawUnsafe<{ milliseconds: number }[]>(queries[app.env.database.dialect]);
  const after = app.clock.now().getTime();
  return Math.round(Number(row!.milliseconds) - (before + after) / 2);
}

/** True when the clocks differ so much that an operator must be told. */
export function isSkewed(skewMs: number): boolean {
  return Math.abs(skewMs) > CLOCK_SKEW_LIMIT_MS;
}

const QUESTION = 'SELECT id FROM site_state';

/**
 * Checks the database over a separate connection, so that neither a full pool nor hanging connections matter.
 * @returns why it does not answer within the time, on one line; null when it does
 */
export async function probeDatabase(target: DatabaseTarget, timeoutMs: number): Promise<string | null> {
  const ask =
    target.dialect === 'sqlite' ? askSqlite(target.file, timeoutMs) : askPostgres(target.url, timeoutMs);
  const late = sleepInSteps(timeoutMs).then(() => `no answer within ${timeoutMs} ms`);
  return Promise.race([ask.then(() => null, messageOf), late]);
}

async function askSqlite(file: string, timeoutMs: number): Promise<void> {
  // There, the app reads a copy.
  if (isOnReadOnlyDisk(file)) return access(file, constants.R_OK);
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const db = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    await whileBusy(() => db.prepare(QUESTION).get(), timeoutMs);
  } finally {
    db.close();
  }
}

async function askPostgres(url: string, timeoutMs: number): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: await writerUrl(url),
    // Ends a connection to a server that hangs.
    connectionTimeoutMillis: 5 * timeoutMs,
    query_timeout: 5 * timeoutMs,
    application_name: 'dateline probe',
  });
  client.on('error', () => {}); // errors after the answer do not matter
  try {
    await client.connect();
    await client.query(QUESTION);
  } finally {
    // Does not await `end()`: a server that hangs never answers it.
    void client.end().catch(() => {});
  }
}

/**
 * Checks, before a command does anything, that the database exists and fits the code.
 * @throws AppError that says what is wrong and which command helps
 */
export async function requireDatabase(db: Database, target: DatabaseTarget): Promise<void> {
  // Opening the database would create an empty file.
  if (target.dialect === 'sqlite' && isMissing(target.file))
    throw new AppError('unavailable', noDatabase(target.file));
  const migrated = await isMigrated(db, target.dialect).catch((error: unknown) => {
    throw databaseFailure(error);
  });
  if (!migrated)
    throw new AppError('conflict', 'The database lacks migrations of this version. Run: npm run db:migrate');
}

/** True if there is no such file. A file in a folder that this user may not read is not missing. */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
  }
}

/** What to do about a missing file: `db:migrate` alone would put an empty site in the place of one that is elsewhere. */
export const noDatabase = (file: string): string =>
  `There is no database ${file}. Correct DATABASE_URL, or mount its disk. For a new site, make it with: npm run db:migrate`;
