import path from 'node:path';
import { tableFile, type TableEntry } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import {
  compareBytes,
  fieldOf,
  rowOf,
  type BackupRow,
  type DatabaseRecord,
  filesNamedBy,
  type NamedFile,
  checkedRow,
  isAscending,
  keyOf,
  lineOf,
} from '#app/backup/format/rows.ts';
import { secretNameOf, secretsForBackup, type SecretPolicy } from '#app/backup/format/secrets.server.ts';
import { type BusinessTable, businessTables } from '#app/backup/format/tables.ts';
import { type Transaction, type Database, openDatabase } from '#app/platform/database/client.server.ts';
import { codeMigrationTag, databaseMigrationTag } from '#app/platform/database/migrations.server.ts';
import type { DatabaseTarget, Env } from '#app/platform/env.server.ts';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import { writeLines } from './folder-writer.server.ts';

/** @throws AppError `conflict` when the database is not at the code's migration. */
export async function requireSameMigration(db: Pick<Transaction, '$queryRaw'>): Promise<void> {
  const code = codeMigrationTag();
  const database = await databaseMigrationTag(db);
  if (database === code) return;
  throw new AppError(
    'conflict',
    database
      ? `The database is at migration ${database}, this version of Dateline at ${code}. Run npm run db:migrate.`
      : 'The database has no tables yet. Run npm run db:migrate.',
  );
}

/** Longest time for an export of the rows. The snapshot blocks neither readers nor writers. */
const SNAPSHOT_TIMEOUT_MS = 6 * 60 * 60 * 1000;

// Rows differ in size, so the size of the last batch decides how many rows the next one has: memory stays constant.
const BATCH_BYTES = 2_000_000;
const LARGEST_BATCH = 200;
const FIRST_BATCH = 20;

/** Runs `work` on a snapshot of the database: concurrent writes are not seen. */
export async function withSnapshot<T>(
  target: DatabaseTarget,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const db: Database = await openDatabase(target, { readSnapshots: true });
  try {
    return await db.$transaction(work, { timeout: SNAPSHOT_TIMEOUT_MS });
  } finally {
    await db.$disconnect();
  }
}

/** All rows of a table in the order of its key. */
async function* readRows(tx: Transaction, table: BusinessTable): AsyncGenerator<BackupRow> {
  if (table.isSortedByExport) {
    yield* sortRows(tx, table);
    return;
  }
  const fields = table.key.map(fieldOf);
  const orderBy = fields.map((field) => ({ [field]: 'asc' as const }));
  let size = FIRST_BATCH;
  let last: DatabaseRecord | undefined;
  do {
    const where = last ? whereAfter(fields, last) : {};
    const records = await delegateOf(tx, table).findMany({ where, orderBy, take: size });
    last = records.length < size ? undefined : records.at(-1);
    let bytes = 0;
    for (const record of records) {
      bytes += sizeOf(record);
      yield rowOf(table, record);
    }
    if (records.length > 0) {
      const fitting = Math.floor((BATCH_BYTES * records.length) / bytes);
      size = Math.max(1, Math.min(fitting, 2 * size, LARGEST_BATCH));
    }
  } while (last);
}

/** All rows of a table whose key is one text, in the order of its bytes. Holds all keys in memory. */
async function* sortRows(tx: Transaction, table: BusinessTable): AsyncGenerator<BackupRow> {
  const field = fieldOf(table.key[0]!);
  const keyIn = (record: DatabaseRecord) => String(record[field]);
  const rows = await delegateOf(tx, table).findMany({ select: { [field]: true } });
  for (const keys of inChunks(rows.map(keyIn).sort(compareBytes), LARGEST_BATCH)) {
    const records = await delegateOf(tx, table).findMany({ where: { [field]: { in: keys } } });
    records.sort((a, b) => compareBytes(keyIn(a), keyIn(b)));
    for (const record of records) yield rowOf(table, record);
  }
}

/** What the tables' Prisma delegates have in common. */
interface Delegate {
  findMany(query: {
    select?: object;
    where?: object;
    orderBy?: object[];
    take?: number;
  }): Promise<DatabaseRecord[]>;
  deleteMany(): Promise<{ count: number }>;
  count(): Promise<number>;
}

/** The delegate of a table from the catalogue. */
export function delegateOf(db: Database | Transaction, table: { model: string }): Delegate {
  return Reflect.get(db, table.model) as Delegate;
}

// The first condition uses the index; the second one is exact for keys of two columns.
function whereAfter(fields: string[], last: DatabaseRecord): object {
  const [first, second] = fields as [string, string | undefined];
  if (second === undefined) return { [first]: { gt: last[first] } };
  return {
    [first]: { gte: last[first] },
    OR: [{ [first]: { gt: last[first] } }, { [second]: { gt: last[second] } }],
  };
}

function sizeOf(record: DatabaseRecord): number {
  let size = 0;
  for (const value of Object.values(record)) size += typeof value === 'string' ? value.length : 8;
  return size;
}

interface SavedTables {
  /** In restore order. */
  tables: TableEntry[];
  redactedSecretKeys: string[];
  /** The files below the uploads folder that the rows name, as the rows describe them. */
  namedFiles: Map<string, NamedFile>;
}

/** Writes one file per table, all from one snapshot of the database. */
export async function saveTables(
  app: { env: Pick<Env, 'database' | 'authSecret'> },
  folder: string,
  policy: SecretPolicy,
  onProgress: ReportProgress = () => {},
): Promise<SavedTables> {
  const saved: SavedTables = { tables: [], redactedSecretKeys: [], namedFiles: new Map() };
  await withSnapshot(app.env.database, async (tx) => {
    await requireSameMigration(tx);
    const total = await countRows(tx);
    let done = 0;
    for (const table of businessTables) {
      let rows = 0;
      const lines = async function* () {
        for await (const row of readChecked(tx, table)) {
          const savedRow = secretsForBackup(table.name, row, policy, app.env.authSecret);
          yield lineOf(savedRow);
          if (savedRow.redacted) saved.redactedSecretKeys.push(secretNameOf(table.name, row));
          if (table.name === 'media')
            for (const [name, named] of filesNamedBy(row)) saved.namedFiles.set(name, named);
          rows += 1;
          if ((done += 1) % 100 === 0) onProgress({ step: 'Saving rows', done, total });
        }
      };
      const file = await writeLines(path.join(folder, tableFile(table.name)), lines());
      saved.tables.push({ name: table.name, file: tableFile(table.name), rows, ...file });
    }
    onProgress({ step: 'Saving rows', done, total });
  });
  return saved;
}

// Refuses rows that a verification would refuse, so that every written backup can be restored.
async function* readChecked(tx: Transaction, table: BusinessTable): AsyncGenerator<BackupRow> {
  let previous: BackupRow | undefined;
  for await (const row of readRows(tx, table)) {
    try {
      checkedRow(table, row);
    } catch (error) {
      throw new AppError('conflict', `${table.name}, row ${keyOf(table, row)}: ${messageOf(error)}.`);
    }
    if (previous && !isAscending(table, previous, row))
      throw new AppError(
        'conflict',
        `${table.name}, row ${keyOf(table, row)}: the database does not sort by bytes.`,
      );
    previous = row;
    yield row;
  }
}

async function countRows(tx: Transaction): Promise<number> {
  let total = 0;
  for (const table of businessTables) total += await delegateOf(tx, table).count();
  return total;
}
