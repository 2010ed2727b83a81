import BetterSqlite3 from 'better-sqlite3';
import { createPrivateFile } from '#app/platform/files/private-file.server.ts';

/** More pages than any database has. A copy in several steps would start again with each commit of another process. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a SQLite database from one snapshot, while others read and write it. Only this user can read the copy.
 * Blocks the thread, so it is for worker processes and commands.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  createPrivateFile(to);
  const source = new BetterSqlite3(from, { readonly: true, fileMustExist: true, timeout: 2_000 });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}
