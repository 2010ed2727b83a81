import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { isBusy, whileBusy } from '#app/platform/database/sqlite-busy.server.ts';
import { AppError, codeOf, isAppError, messageOf } from '#app/platform/errors.ts';
import { makeFolder, createPrivateFile } from '#app/platform/files/disk.server.ts';
import { Mutex } from '#app/platform/jobs/concurrency.ts';
import { INDEX_NAME } from '#app/search/engine.ts';
import { hasTables, indexNames } from './tables.server.ts';

type Connection = BetterSqlite3.Database;

const STATEMENTS_MAX = 100;

/**
 * The embedded engine's file, shared by any number of processes: WAL, one connection for reading and one for writing,
 * each used by one task at a time. Waiting never blocks the event loop. A file that was deleted or replaced is opened
 * again. The first damaged file is renamed, since `SEARCH_HOST`
 * may name a file of another program; a later one is removed. The outbox fills a new one.
 */
export class SearchFile {
  readonly #file: string;
  readonly #locks = { read: new Mutex(), write: new Mutex() };
  readonly #connections: { read?: Connection; write?: Connection } = {};
  #inode: number | undefined;
  /** A third connection, which detects the commits of both others and of other processes. */
  #watch: { db: Connection; inode: number; dataVersion: BetterSqlite3.Statement } | undefined;
  #watches = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether the file exists; does not create it. */
  exists(): boolean {
    return inodeOf(this.#file) !== undefined;
  }

  /** A text that changes with every commit to the file, and when another file replaces it; null without a file. */
  version(): string | null {
    const inode = inodeOf(this.#file);
    if (inode === undefined) return null;
    if (this.#watch?.inode !== inode) {
      this.#watch?.db.close();
      this.#watch = undefined;
      const db = new BetterSqlite3(this.#file, { readonly: true, timeout: 0 });
      this.#watch = { db, inode, dataVersion: db.prepare('PRAGMA data_version').pluck() };
      this.#watches += 1;
    }
    return `${this.#watches} ${String(this.#watch.dataVersion.get())}`;
  }

  /** Runs `work` on one snapshot of the file. */
  read<T>(work: (db: Connection) => T | Promise<T>, timeoutMs: number): Promise<T> {
    return this.#run('read', 'BEGIN', work, timeoutMs);
  }

  /**
   * Runs `work` in one write transaction.
   * @param options.durable false for data that is rebuilt after a power cut anyway
   */
  write<T>(work: (db: Connection) => T | Promise<T>, timeoutMs: number, { durable = true } = {}): Promise<T> {
    return this.#run('write', 'BEGIN IMMEDIATE', work, timeoutMs, (db) => {
      // The outbox entry is deleted once the engine has the post, so the write must survive a power cut.
      db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    });
  }

  async close(): Promise<void> {
    this.#watch?.db.close();
    this.#watch = undefined;
    await this.#locks.read.run(async () => this.#closeConnection('read'));
    await this.#locks.write.run(async () => this.#closeConnection('write'));
  }

  async #run<T>(
    kind: 'read' | 'write',
    begin: string,
    work: (db: Connection) => T | Promise<T>,
    timeoutMs: number,
    before?: (db: Connection) => void,
  ): Promise<T> {
    const release = await this.#locks[kind].acquire();
    try {
      const db = await this.#open(kind, timeoutMs);
      before?.(db);
      await whileBusy(() => db.prepare(begin).run(), timeoutMs);
      try {
        const value = await work(db);
        await whileBusy(() => db.prepare('COMMIT').run(), timeoutMs);
        return value;
      } finally {
        if (db.inTransaction) db.prepare('ROLLBACK').run();
      }
    } catch (error) {
      if (isDamaged(error)) this.#moveDamagedAside(kind);
      throw this.#explained(error);
    } finally {
      release();
    }
  }

  async #open(kind: 'read' | 'write', timeoutMs: number): Promise<Connection> {
    const inode = inodeOf(this.#file);
    if (inode === undefined || inode !== this.#inode) this.#closeConnection(kind);
    const opened = this.#connections[kind];
    if (opened?.open) return opened;
    await makeFolder(path.dirname(this.#file));
    createPrivateFile(this.#file);
    const db = new BetterSqlite3(this.#file, { timeout: 0 });
    try {
      // Takes effect in a new file: documents of a few KB would leave half of a page of 4 KB empty.
      db.pragma('page_size = 8192');
      await whileBusy(() => db.pragma('journal_mode = WAL'), timeoutMs);
      db.pragma('cache_size = -16000');
      // 32 MB: fewer checkpoints, each of which waits for the disk.
      db.pragma('wal_autocheckpoint = 4000');
    } catch (error) {
      db.close();
      throw error;
    }
    const now = inodeOf(this.#file);
    // The other connection may still have the replaced file open.
    if (now !== this.#inode) this.#closeConnection(kind === 'read' ? 'write' : 'read');
    this.#inode = now;
    if (kind === 'read') keepStatements(db);
    this.#connections[kind] = db;
    return db;
  }

  #closeConnection(kind: 'read' | 'write'): void {
    const db = this.#connections[kind];
    this.#connections[kind] = undefined;
    if (db && !db.inTransaction) db.close();
  }

  #moveDamagedAside(kind: 'read' | 'write'): void {
    this.#closeConnection(kind);
    // Another process may have replaced the file already.
    if (this.#inode !== undefined && inodeOf(this.#file) !== this.#inode) return;
    // The first one is kept. The later ones can only be indexes of ours, which are made again.
    const isFirst = !existsSync(`${this.#file}.damaged`);
    for (const ending of ['-wal', '-shm', '']) {
      const file = this.#file + ending;
      if (!isFirst) rmSync(file, { force: true });
      else if (existsSync(file)) renameSync(file, `${this.#file}.damaged${ending}`);
    }
  }

  #explained(error: unknown): AppError {
    if (isAppError(error)) return error;
    const reason = isBusy(error)
      ? 'another process has been writing it for too long'
      : isDamaged(error)
        ? `it is no search index, or damaged. The first such file is now ${this.#file}.damaged; the next trigger fills a new one`
        : messageOf(error) + adviceOnRights(error);
    return new AppError('unavailable', `The search file ${this.#file} failed: ${reason}`, { cause: error });
  }
}

/** Caches statements: a search runs the same dozen each time. No text is used both for rows and for single values. */
function keepStatements(db: Connection): void {
  const prepare = db.prepare.bind(db);
  const statements = new LRUCache<string, BetterSqlite3.Statement>({ max: STATEMENTS_MAX });
  db.prepare = ((sql: string) => {
    const statement = statements.get(sql) ?? prepare(sql);
    statements.set(sql, statement);
    return statement;
  }) as typeof db.prepare;
}

/** What to do where this user may not open or write the file: SQLite does not say so. */
function adviceOnRights(error: unknown): string {
  const code = codeOf(error);
  if (!/^(SQLITE_(CANTOPEN|READONLY)|EACCES|EPERM|EROFS)/.test(String(code))) return '';
  return '. Check SEARCH_HOST, and that this user may write the file and its folder.';
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** True for SQLite's errors about a file that cannot be repaired. */
function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** The first bytes of every SQLite database. */
const HEADER = 'SQLite format 3\0';

/** What the embedded engine would find in its file. */
type SearchFileState = 'ok' | 'missing' | { problem: string };

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
