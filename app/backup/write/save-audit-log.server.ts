import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { auditLogTable } from '#app/backup/format/audit-log-file.ts';
import { lineOf, rowOf } from '#app/backup/format/rows.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import type { Db } from '#app/platform/services.ts';

const ROWS_AT_ONCE = 500;

/**
 * Writes the audit log as compressed JSON Lines, oldest first. An import of the backup beside it restores the entries.
 * @param target must not exist
 */
export async function saveAuditLog(app: Db, target: string): Promise<void> {
  await pipeline(
    readRows(app.db),
    createGzip(),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

async function* readRows(db: Database): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const rows = await db.auditLog.findMany({
      where: { id: { gt: last } },
      orderBy: { id: 'asc' },
      take: ROWS_AT_ONCE,
    });
    for (const row of rows) yield `${lineOf(rowOf(auditLogTable, { ...row }))}\n`;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}
