import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { auditLogName, auditLogTable } from '#app/backup/format/audit-log-file.ts';
import { linesOf, reading } from '#app/backup/format/files.server.ts';
import { refusal } from '#app/backup/format/refusal.ts';
import { lineOf, parseLine, type BackupRow } from '#app/backup/format/rows.ts';
import type { Transaction } from '#app/platform/database/client.server.ts';
import { insertJson } from '#app/platform/database/json-insert.server.ts';
import { codeOf, messageOf } from '#app/platform/errors.ts';
import { openRegular } from '#app/platform/files/regular-file.server.ts';
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
