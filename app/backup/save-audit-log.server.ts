import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { App } from '#app/app.ts';

const ROWS_AT_ONCE = 500;

/**
 * Writes the audit log as compressed JSON Lines, oldest first, each with the names of the columns. It is no part of a
 * backup (contract, section 6), and no import reads it.
 * @param target must not exist
 */
export async function saveAuditLog(app: Pick<App, 'db'>, target: string): Promise<void> {
  await pipeline(
    readLines(app.db),
    createGzip(),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

async function* readLines(db: App['db']): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const rows = await db.auditLog.findMany({
      where: { id: { gt: last } },
      orderBy: { id: 'asc' },
      take: ROWS_AT_ONCE,
    });
    for (const { id, at, userId, actor, action, subject, details, address } of rows)
      yield `${JSON.stringify({ id, at, user_id: userId, actor, action, subject, details, address })}\n`;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}
