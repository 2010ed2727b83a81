import path from 'node:path';
import { tableFile, type TableEntry } from '#app/backup/format/manifest.ts';
import { requireSameMigration } from '#app/backup/format/migration-tag.server.ts';
import { filesNamedBy, type NamedFile } from '#app/backup/format/named-files.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { checkedRow, isAscending, keyOf, lineOf, type BackupRow } from '#app/backup/format/rows.ts';
import { secretNameOf, secretsForBackup, type SecretPolicy } from '#app/backup/format/secrets.server.ts';
import { businessTables, type BusinessTable } from '#app/backup/format/table-lists.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { writeLines } from './folder-writer.server.ts';
import { delegateOf, readRows, withSnapshot } from './snapshot.server.ts';

export interface SavedTables {
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
      const file = await writeLines(path.join(folder, tableFile(table.name)), async (write) => {
        for await (const row of readChecked(tx, table)) {
          const savedRow = secretsForBackup(table.name, row, policy, app.env.authSecret);
          await write(lineOf(savedRow));
          if (savedRow.redacted) saved.redactedSecretKeys.push(secretNameOf(table.name, row));
          if (table.name === 'media')
            for (const [name, named] of filesNamedBy(row)) saved.namedFiles.set(name, named);
          rows += 1;
          if ((done += 1) % 100 === 0) onProgress({ step: 'Saving rows', done, total });
        }
      });
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
