import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { boolean, integer, text, time, type Column } from '#app/backup/format/columns.ts';
import { readLines } from '#app/backup/format/files.server.ts';
import {
  manifestFile,
  manifestText,
  tablesFolder,
  type Manifest,
  type TableEntry,
  refusal,
} from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import type { BackupRow } from '#app/backup/format/rows.ts';
import { encryptSecrets, isSecretSetting } from '#app/backup/format/secrets.server.ts';
import { saveTables } from '#app/backup/write/snapshot.server.ts';
import { openDatabase, type Database } from '#app/platform/database/client.server.ts';
import { insertJson, type JsonColumnType } from '#app/platform/database/insert-rows.server.ts';
import { codeMigrationTag, migrate } from '#app/platform/database/migrations.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import { createBatch } from './restore-rows.server.ts';

/** Time limit for one table. */
const LOAD_MS = 6 * 60 * 60 * 1000;

/**
 * Runs `work` on the tables of an older backup as this version writes them: the rows are loaded into a scratch SQLite
 * database at the backup's migration, migrated there, and saved again into a temporary folder.
 * @throws AppError `invalid_input` when a row does not fit the database of that time
 */
export async function withMigratedTables<T>(
  inputDir: string,
  manifest: Manifest,
  onProgress: ReportProgress,
  work: (tablesDir: string, manifest: Manifest) => Promise<T>,
): Promise<T> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'dateline-migrate-'));
  try {
    const database = databaseTarget(`file:${path.join(scratch, 'scratch.db')}`);
    await migrate(database, { upTo: manifest.migrationTag });
    // Encrypts the backup's plain secrets while they are in the scratch database.
    const authSecret = randomBytes(32).toString('hex');
    const db = await openDatabase(database);
    try {
      for (const entry of manifest.tables)
        await loadTable(db, inputDir, entry, manifest, authSecret, onProgress);
      await requireReferences(db);
    } finally {
      await db.$disconnect();
    }
    await migrate(database);
    const tablesDir = path.join(scratch, 'backup');
    await mkdir(path.join(tablesDir, tablesFolder), { recursive: true });
    const saved = await saveTables(
      { env: { database, authSecret } },
      tablesDir,
      manifest.secretPolicy,
      onProgress,
    );
    const current: Manifest = {
      ...manifest,
      migrationTag: codeMigrationTag(),
      redactedSecretKeys: saved.redactedSecretKeys,
      restoreOrder: saved.tables.map(({ name }) => name),
      tables: saved.tables,
    };
    await writeFile(path.join(tablesDir, manifestFile), `${manifestText(current)}\n`);
    return await work(tablesDir, current);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface OldColumn {
  type: JsonColumnType;
  /** True when every row must have a value in the column. */
  required: boolean;
  /** True when it cannot be null. */
  isFilled: boolean;
}

const valueTypes = { text, integer, boolean, time } satisfies Record<JsonColumnType, Column>;

type Columns = Record<string, OldColumn>;

async function loadTable(
  db: Database,
  inputDir: string,
  entry: TableEntry,
  manifest: Manifest,
  authSecret: string,
  onProgress: ReportProgress,
): Promise<void> {
  const columns = await columnsOf(db, entry.name);
  if (Object.keys(columns).length === 0)
    throw refusal(manifestFile, `the table ${JSON.stringify(entry.name)} is unknown`);
  const load = db.$transaction(
    async (tx) => {
      // Checks references once, at the commit.
      await tx.$executeRawUnsafe('PRAGMA defer_foreign_keys = ON');
      let saved: Columns | undefined;
      let rows = 0;
      const batch = createBatch((json) => insertJson(tx, 'sqlite', entry.name, saved!, json));
      for await (const { number, text } of readLines(inputDir, entry)) {
        try {
          const row = readRow(entry.name, columns, text, manifest, authSecret);
          saved ??= Object.fromEntries(Object.keys(row).map((name) => [name, columns[name]!]));
          if (String(Object.keys(row)) !== String(Object.keys(saved)))
            throw new Error('this has other columns than the first row');
          await batch.add(JSON.stringify(row));
          rows += 1;
        } catch (error) {
          throw refusal(`${entry.file}, line ${number}`, messageOf(error));
        }
      }
      await batch.flush();
      if (rows !== entry.rows)
        throw refusal(entry.file, `it has ${rows} rows, manifest.json says ${entry.rows}`);
      onProgress({ step: `Migrating ${entry.name}`, done: rows, total: rows });
    },
    { timeout: LOAD_MS },
  );
  await load.catch((error: unknown) => {
    throw isAppError(error) ? error : refusal(entry.file, 'its rows do not fit the database of their time');
  });
}

function readRow(
  table: string,
  columns: Columns,
  text: string,
  manifest: Manifest,
  authSecret: string,
): BackupRow {
  const row = JSON.parse(text) as BackupRow;
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Error('this is not an object');
  // Any value works: saving redacts it again.
  if (table === 'settings' && row.redacted === true && isSecretSetting(row.key))
    return { key: row.key!, value: 'redacted', updated_at: row.updated_at! };
  const unknown = Object.keys(row).find((column) => !Object.hasOwn(columns, column));
  if (unknown !== undefined) throw new Error(`the column "${unknown}" is unknown`);
  const missing = Object.keys(columns).find((name) => columns[name]!.required && !Object.hasOwn(row, name));
  if (missing !== undefined) throw new Error(`column "${missing}" is missing`);
  for (const [name, value] of Object.entries(row)) {
    const { type, isFilled } = columns[name]!;
    if (value === null && !isFilled) continue;
    const { error } = valueTypes[type].schema.safeParse(value);
    if (error) throw new Error(`column "${name}" ${error.issues[0]!.message}`);
  }
  return encryptSecrets(table, row, manifest.secretPolicy, authSecret);
}

async function columnsOf(db: Database, table: string): Promise<Columns> {
  const rows = await db.$queryRaw<
    { name: string; type: string; filled: bigint | number; required: bigint | number }[]
  >`
    SELECT name, type, ("notnull" = 1 OR pk > 0) AS filled, ("notnull" = 1 OR pk > 0) AND dflt_value IS NULL AS required FROM pragma_table_info(${table})`;
  return Object.fromEntries(
    rows.map(({ name, type, filled, required }) => [
      name,
      { type: jsonTypeOf(type), required: Number(required) === 1, isFilled: Number(filled) === 1 },
    ]),
  );
}

function jsonTypeOf(sqlType: string): JsonColumnType {
  const types: Record<string, JsonColumnType> = { DATETIME: 'time', BOOLEAN: 'boolean', INTEGER: 'integer' };
  return types[sqlType] ?? 'text';
}

async function requireReferences(db: Database): Promise<void> {
  const broken = await db.$queryRaw<
    { table: string }[]
  >`SELECT "table" FROM pragma_foreign_key_check LIMIT 1`;
  if (broken.length > 0)
    throw refusal(`${tablesFolder}/${broken[0]!.table}.jsonl`, 'a row names one that is not there');
}
