import BetterSqlite3 from 'better-sqlite3';
import { createPrivateFile } from './private-file.server.ts';

/** More than any database has: a copy in parts starts again with each commit of another process. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a SQLite database as it is at one moment, while others read and write it; nobody else may read the copy. It is
 * one step that holds the thread: for worker processes and commands.
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
