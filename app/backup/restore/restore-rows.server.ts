import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { linesOf, reading, readLines } from '#app/backup/format/files.server.ts';
import { auditLogName, auditLogTable, refusal, type Manifest } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { lineOf, parseLine, type BackupRow } from '#app/backup/format/rows.ts';
import { encryptSecrets, isSecretSetting, secretNameOf } from '#app/backup/format/secrets.server.ts';
import { businessTables, clearedTables } from '#app/backup/format/tables.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertJson } from '#app/platform/database/insert-rows.server.ts';
import { codeOf, messageOf } from '#app/platform/errors.ts';
import { openRegular } from '#app/platform/files/disk.server.ts';
import type { Configured } from '#app/platform/services.ts';

const AUDIT_BATCH_ROWS = 500;

/**
 * Checks the audit log beside a backup, entry by entry.
 * @returns the log's file, or null without one
 * @throws AppError `invalid_input` that names the file, the line and the reason
 */
export async function checkAuditLog(inputDir: string): Promise<string | null> {
  const file = auditLogName(inputDir);
  const handle = await openRegular(file).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null;
    return reading(path.basename(file), () => Promise.reject(error as Error));
  });
  if (handle === null) return null;
  await handle.close();
  for await (const _ of readEntries(file)) continue;
  return file;
}

/**
 * Adds the entries that this instance does not have, inside the caller's transaction. Its own entries stay.
 * @returns how many were added
 */
export async function restoreAuditLog(app: Configured, tx: Transaction, file: string): Promise<number> {
  let added = 0;
  let batch: BackupRow[] = [];
  const flush = async () => {
    const ids = batch.map(({ id }) => String(id));
    const existing = await tx.auditLog.findMany({ where: { id: { in: ids } }, select: { id: true } });
    const existingIds = new Set(existing.map(({ id }) => id));
    const missing = batch.filter(({ id }) => !existingIds.has(String(id)));
    batch = [];
    if (missing.length === 0) return;
    const json = `[${missing.map(lineOf).join(',')}]`;
    await insertJson(tx, app.env.database.dialect, auditLogTable.name, auditLogTable.columns, json);
    added += missing.length;
  };
  for await (const entry of readEntries(file)) if (batch.push(entry) === AUDIT_BATCH_ROWS) await flush();
  await flush();
  return added;
}

async function* readEntries(file: string): AsyncGenerator<BackupRow> {
  const name = path.basename(file);
  const handle = await reading(name, () => openRegular(file));
  const packed = handle.createReadStream();
  const unpacked = createGunzip();
  packed.on('error', (error) => unpacked.destroy(error));
  packed.pipe(unpacked);
  try {
    let last = '';
    for await (const { number, text } of linesOf(unpacked, name)) {
      const entry = checked(`${name}, line ${number}`, () => parseLine(auditLogTable, text));
      const id = String(entry.id);
      if (id <= last) throw refusal(`${name}, line ${number}`, 'its id occurs twice, or not in order');
      last = id;
      yield entry;
    }
  } catch (error) {
    const code = codeOf(error);
    if (code?.startsWith('Z_')) throw refusal(name, `it is damaged (${messageOf(error)})`);
    throw error;
  } finally {
    packed.destroy();
    unpacked.destroy();
    await handle.close();
  }
}

function checked<T>(location: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refusal(location, messageOf(error));
  }
}

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
  const { dialect } = app.env.database;
  for (const table of clearedTables) await delegateOf(tx, table).deleteMany();

  const secrets: RestoredSecrets = { preservedSecretKeys: [], skippedRedactedSecretKeys: [] };
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  for (const [index, table] of businessTables.entries()) {
    const batch = createBatch((json) => insertJson(tx, dialect, table.name, table.columns, json));
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

/** Collects rows as JSON. @param insert gets some hundred at a time, as a list */
export function createBatch(insert: (json: string) => Promise<void>) {
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (lines.length > 0) await insert(`[${lines.join(',')}]`);
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
