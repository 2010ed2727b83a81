import BetterSqlite3 from 'better-sqlite3';
import { createPrivateFile } from './private-file.server.ts';

/** Pages between two turns of the event loop: a millisecond or two. */
const PAGES_PER_TURN = 250;

/** Copies a SQLite database as it is at one moment, while others read and write it; nobody else may read the copy. */
export async function copySqlite(from: string, to: string): Promise<void> {
  createPrivateFile(to);
  const source = new BetterSqlite3(from, { readonly: true, fileMustExist: true, timeout: 2_000 });
  try {
    await source.backup(to, { progress: () => PAGES_PER_TURN });
  } finally {
    source.close();
  }
}
