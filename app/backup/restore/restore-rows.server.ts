import { readLines } from '#app/backup/format/files.server.ts';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { lineOf, parseLine, type BackupRow } from '#app/backup/format/rows.ts';
import { encryptSecrets, isSecretSetting, secretNameOf } from '#app/backup/format/secrets.server.ts';
import { businessTables, clearedTables, type BusinessTable } from '#app/backup/format/table-lists.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertJson } from '#app/platform/database/json-insert.server.ts';
import type { Configured } from '#app/platform/services.ts';

/** Why an imported webhook is paused. */
const NO_SECRET = 'The backup has no secret for it. Rotate the secret, then resume.';
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
  const own = await readOwnSecrets(tx);
  for (const table of clearedTables) await delegateOf(tx, table).deleteMany();

  const secrets: RestoredSecrets = { preservedSecretKeys: [], skippedRedactedSecretKeys: [] };
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const [index, table] of businessTables.entries()) {
    const batch = createBatch(app, tx, table);
    for await (const { text } of readLines(tablesDir, manifest.tables[index]!)) {
      const saved = parseLine(table, text);
      const row = saved.redacted ? ownSecretRow(table.name, saved, own, secrets) : saved;
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
  tableName: string,
  saved: BackupRow,
  own: OwnSecrets,
  secrets: RestoredSecrets,
): BackupRow | undefined {
  const isWebhook = tableName === 'webhooks';
  const value = isWebhook ? own.webhooks.get(String(saved.id)) : own.settings.get(String(saved.key));
  const reported = value === undefined ? secrets.skippedRedactedSecretKeys : secrets.preservedSecretKeys;
  reported.push(secretNameOf(tableName, saved));
  if (!isWebhook)
    return value === undefined ? undefined : { key: saved.key!, value, updated_at: saved.updated_at! };
  const { redacted: _redacted, ...row } = saved;
  // Without its secret nobody can check a message: it waits for a new one.
  const paused = { paused_at: saved.paused_at ?? saved.updated_at!, pause_reason: NO_SECRET };
  return { ...row, secret: value ?? '', ...(value === undefined && paused) };
}

interface OwnSecrets {
  settings: Map<string, string>;
  /** By the webhook's id. */
  webhooks: Map<string, string>;
}

async function readOwnSecrets(tx: Transaction): Promise<OwnSecrets> {
  const rows = await tx.setting.findMany();
  const webhooks = await tx.webhook.findMany({ select: { id: true, secret: true } });
  const secrets = rows.filter(({ key, value }) => isSecretSetting(key) && value !== '');
  return {
    settings: new Map(secrets.map(({ key, value }) => [key, value])),
    webhooks: new Map(webhooks.flatMap(({ id, secret }) => (secret === '' ? [] : [[id, secret]]))),
  };
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
