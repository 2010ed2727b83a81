import { access, constants } from 'node:fs/promises';
import { isOnReadOnlyDisk } from '#app/platform/files/read-only-disk.server.ts';
import { sleepInSteps } from '#app/platform/jobs/sleep-in-steps.server.ts';
import type { DatabaseTarget } from '../env.server.ts';
import { messageOf } from '../errors.ts';
import { writerUrl } from './postgres-hosts.server.ts';
import { whileBusy } from './sqlite-busy.server.ts';

const QUESTION = 'SELECT id FROM site_state';

/**
 * Checks the database over a separate connection, so that neither a full pool nor hanging connections matter.
 * @returns why it does not answer within the time, on one line; null when it does
 */
export async function probeDatabase(target: DatabaseTarget, timeoutMs: number): Promise<string | null> {
  const ask =
    target.dialect === 'sqlite' ? askSqlite(target.file, timeoutMs) : askPostgres(target.url, timeoutMs);
  const late = sleepInSteps(timeoutMs).then(() => `no answer within ${timeoutMs} ms`);
  return Promise.race([ask.then(() => null, messageOf), late]);
}

async function askSqlite(file: string, timeoutMs: number): Promise<void> {
  // There, the app reads a copy.
  if (isOnReadOnlyDisk(file)) return access(file, constants.R_OK);
  const { default: BetterSqlite3 } = await import('better-sqlite3');
  const db = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    await whileBusy(() => db.prepare(QUESTION).get(), timeoutMs);
  } finally {
    db.close();
  }
}

async function askPostgres(url: string, timeoutMs: number): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: await writerUrl(url),
    // Ends a connection to a server that hangs.
    connectionTimeoutMillis: 5 * timeoutMs,
    query_timeout: 5 * timeoutMs,
    application_name: 'dateline probe',
  });
  client.on('error', () => {}); // errors after the answer do not matter
  try {
    await client.connect();
    await client.query(QUESTION);
  } finally {
    // Does not await `end()`: a server that hangs never answers it.
    void client.end().catch(() => {});
  }
}
