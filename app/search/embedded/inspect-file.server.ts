import { open } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';
import { messageOf } from '#app/platform/errors.ts';
import { INDEX_NAME } from '../engine.ts';
import { hasTables, indexNames } from './schema.server.ts';

/** The first bytes of every SQLite database. */
const HEADER = 'SQLite format 3\0';

/** What the embedded engine would find in its file. */
export type SearchFileState = 'ok' | 'missing' | { problem: string };

/**
 * Looks into the embedded engine's file without changing it or anything beside it. The engine itself would rename a
 * damaged file, or one of another program, and begin a new one.
 */
export async function inspectSearchFile(file: string): Promise<SearchFileState> {
  const header = await readHeader(file).catch((error: NodeJS.ErrnoException) => error);
  if (header instanceof Error) {
    if (header.code === 'ENOENT' || header.code === 'ENOTDIR') return 'missing';
    return { problem: `The search file ${file} cannot be read: ${messageOf(header)}. Check SEARCH_HOST.` };
  }
  // A process that was killed may have left a file without any bytes.
  if (header === '') return 'missing';
  if (header !== HEADER)
    return {
      problem: `${file} is not a search index: it is damaged, or of another program. Correct SEARCH_HOST.`,
    };
  try {
    const db = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 1_000 });
    try {
      return stateOf(db, file);
    } finally {
      db.close();
    }
  } catch (error) {
    return {
      problem: `The search file ${file} is damaged or cannot be read: ${messageOf(error)}. Check SEARCH_HOST.`,
    };
  }
}

function stateOf(db: BetterSqlite3.Database, file: string): SearchFileState {
  if (hasTables(db, INDEX_NAME)) return 'ok';
  const tables = db.prepare("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'").pluck().get();
  if (tables === 0 || indexNames(db).length > 0) return 'missing';
  return { problem: `${file} is a database, but not a search index. Correct SEARCH_HOST.` };
}

async function readHeader(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}
