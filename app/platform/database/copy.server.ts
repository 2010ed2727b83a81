import BetterSqlite3 from 'better-sqlite3';
import type { Client } from 'pg';
import { createPrivateFile } from '#app/platform/files/disk.server.ts';
import { migrationsOf } from './migrations.server.ts';
import { writerUrl } from './postgres.server.ts';

// Rows differ in size, so the size of the last answer decides how many rows the next one has: memory stays constant.
const BATCH_CHARACTERS = 2_000_000;
const LARGEST_BATCH = 1_000;
const FIRST_BATCH = 20;

/** Which rows of a table are copied. A table that is not named is copied whole. */
export type CopiedRows = Readonly<Record<string, 'none' | { where: string }>>;

/** The statements that create the schema. Those in `rest` run after the rows were inserted. */
interface Schema {
  tables: { name: string; sql: string }[];
  /** Indexes, views and triggers. */
  rest: string[];
}

let schema: Schema | undefined;

/**
 * Copies the rows of a PostgreSQL database, from one snapshot, into a new SQLite file with the same tables. Blocks the
 * thread, so it is for worker processes and commands. Measured for 10,000 posts, with the trigger: 1 s of processor
 * time instead of 11 s through the rows of backups, after which lists and counts have to be rebuilt.
 */
export async function copyPostgres(url: string, file: string, rows: CopiedRows): Promise<void> {
  const { default: pg } = await import('pg');
  const source = new pg.Client({
    connectionString: await writerUrl(url),
    connectionTimeoutMillis: 5_000,
    application_name: 'dateline',
  });
  source.on('error', () => {}); // the next query reports a lost connection
  createPrivateFile(file);
  const target = new BetterSqlite3(file);
  try {
    await source.connect();
    await source.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TIME ZONE 'UTC'");
    // No rollback journal: a copy that fails is deleted.
    target.pragma('journal_mode = OFF');
    target.pragma('synchronous = OFF');
    target.pragma('foreign_keys = OFF');
    target.pragma('cache_size = -64000');
    target.pragma('temp_store = MEMORY');
    target.pragma('locking_mode = EXCLUSIVE');
    target.exec('BEGIN');
    // The tables that triggers keep are copied too, so the triggers come last; an index is built faster from all rows.
    const { tables, rest } = (schema ??= readSchema());
    for (const { sql } of tables) target.exec(sql);
    for (const { name } of tables) {
      const selection = rows[name];
      if (selection !== 'none') await copyTable(source, target, name, selection?.where);
    }
    for (const sql of rest) target.exec(sql);
    target.exec('COMMIT');
  } finally {
    target.close();
    await source.end();
  }
}

/** The schema, read from a migrated database in memory: on disk each migration would wait for the disk. */
function readSchema(): Schema {
  const migrated = new BetterSqlite3(':memory:');
  try {
    for (const { sql } of migrationsOf('sqlite')) migrated.exec(sql);
    const read = migrated.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite%' AND sql IS NOT NULL ORDER BY rowid",
    );
    const ofType = (type: string) => read.all(type) as { name: string; sql: string }[];
    const rest = ['index', 'view', 'trigger'].flatMap(ofType).map(({ sql }) => sql);
    return { tables: ofType('table'), rest };
  } finally {
    migrated.close();
  }
}

async function copyTable(
  source: Client,
  target: BetterSqlite3.Database,
  table: string,
  where = 'true',
): Promise<void> {
  const columns = target.pragma(`table_info("${table}")`) as { name: string; type: string }[];
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, type }) => asInSqlite(`"${name}"`, type)).join(', ');
  const insert = target.prepare(
    `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  await source.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${values} FROM "${table}" WHERE ${where}`);
  const fetch = (size: number) =>
    source.query<unknown[]>({ text: `FETCH ${size} FROM copied`, rowMode: 'array' });
  let size = FIRST_BATCH;
  let { rows } = await fetch(size);
  while (rows.length === size) {
    const characters = rows.flat().reduce<number>((sum, value) => sum + lengthOf(value), 0);
    const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / Math.max(1, characters));
    const nextSize = Math.max(1, Math.min(fitting, 2 * size, LARGEST_BATCH));
    // The server reads the next rows while these are written.
    const next = fetch(nextSize);
    next.catch(() => {}); // after an insert that fails, nothing awaits it
    for (const row of rows) insert.run(row);
    ({ rows } = await next);
    size = nextSize;
  }
  for (const row of rows) insert.run(row);
  await source.query('CLOSE copied');
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 8;
}

/** An SQL expression for the value as Prisma stores it on SQLite in a column of this type. */
function asInSqlite(column: string, type: string): string {
  if (type === 'DATETIME') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`;
  return type === 'BOOLEAN' ? `${column}::int` : column;
}

/** More pages than any database has. A copy in several steps would start again with each commit of another process. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a SQLite database from one snapshot, while others read and write it. Only this user can read the copy.
 * Blocks the thread, so it is for worker processes and commands.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  createPrivateFile(to);
  const source = new BetterSqlite3(from, { readonly: true, fileMustExist: true, timeout: 2_000 });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}
