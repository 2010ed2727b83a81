import { readLines } from '#app/backup/format/files.server.ts';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { lineOf, parseLine, type BackupRow } from '#app/backup/format/rows.ts';
import { encryptSecrets, isSecretSetting } from '#app/backup/format/secrets.server.ts';
import { businessTables, clearedTables, type BusinessTable } from '#app/backup/format/table-lists.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertJson } from '#app/platform/database/json-insert.server.ts';
import type { Configured } from '#app/platform/services.ts';

const BATCH_ROWS = 500;
// Prisma keeps its last hundred debug messages with their parameters, so long statements add up.
const BATCH_CHARACTERS = 250_000;

export interface RestoredSecrets {
  /** Redacted in the backup; the instance keeps its own value. */
  preservedSecretKeys: string[];
  /** Redacted in the backup, and without a value in the instance. */
  skippedRedactedSecretKeys: string[];
}

/** Replaces all rows by those of a checked backup, inside the caller's transaction. */
export async function restoreRows(
  app: Configured,
  tx: Transaction,
  backup: { tablesDir: string; manifest: Manifest },
  onProgress: ReportProgress,
): Promise<RestoredSecrets> {
  const { tablesDir, manifest } = backup;
  const ownSecrets = await readOwnSecrets(tx);
  for (const table of clearedTables) await delegateOf(tx, table).deleteMany();

  const secrets: RestoredSecrets = { preservedSecretKeys: [], skippedRedactedSecretKeys: [] };
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const [index, table] of businessTables.entries()) {
    const batch = createBatch(app, tx, table);
    for await (const { text } of readLines(tablesDir, manifest.tables[index]!)) {
      const saved = parseLine(table, text);
      const row = saved.redacted ? ownSecretRow(saved, ownSecrets, secrets) : saved;
      if (row)
        await batch.add(lineOf(encryptSecrets(table.name, row, manifest.secretPolicy, app.env.authSecret)));
      if ((done += 1) % 500 === 0) onProgress({ step: 'Writing rows', done, total });
    }
    await batch.flush();
  }
  onProgress({ step: 'Writing rows', done, total });
  return secrets;
}

// Takes the row from the backup and the value from the instance, so that a second export equals the first.
function ownSecretRow(
  saved: BackupRow,
  ownSecrets: Map<string, string>,
  secrets: RestoredSecrets,
): BackupRow | undefined {
  const key = String(saved.key);
  const value = ownSecrets.get(key);
  (value === undefined ? secrets.skippedRedactedSecretKeys : secrets.preservedSecretKeys).push(key);
  return value === undefined ? undefined : { key, value, updated_at: saved.updated_at! };
}

async function readOwnSecrets(tx: Transaction): Promise<Map<string, string>> {
  const rows = await tx.setting.findMany();
  const secrets = rows.filter(({ key, value }) => isSecretSetting(key) && value !== '');
  return new Map(secrets.map(({ key, value }) => [key, value]));
}

function createBatch(app: Configured, tx: Transaction, table: BusinessTable) {
  const { dialect } = app.env.database;
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (lines.length > 0) await insertJson(tx, dialect, table.name, table.columns, `[${lines.join(',')}]`);
    lines = [];
    characters = 0;
  };
  return {
    flush,
    async add(line: string): Promise<void> {
      lines.push(line);
      characters += line.length;
      if (lines.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush();
    },
  };
}
