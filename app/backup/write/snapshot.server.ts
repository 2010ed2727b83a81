import {
  compareBytes,
  fieldOf,
  rowOf,
  type BackupRow,
  type DatabaseRecord,
} from '#app/backup/format/rows.ts';
import type { BusinessTable } from '#app/backup/format/table-lists.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { openDatabase } from '#app/platform/database/client.server.ts';
import type { DatabaseTarget } from '#app/platform/env.server.ts';
import { inChunks } from '#app/platform/jobs/event-loop.server.ts';

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
export async function* readRows(tx: Transaction, table: BusinessTable): AsyncGenerator<BackupRow> {
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
export interface Delegate {
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
