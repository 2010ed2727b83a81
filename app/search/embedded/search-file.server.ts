import { mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { AppError, isAppError, messageOf } from '#app/platform/errors.ts';
import { Mutex } from '#app/platform/mutex.ts';
import { createPrivateFile } from '#app/platform/private-file.server.ts';
import { isBusy, whileBusy } from '#app/platform/sqlite-busy.server.ts';

type Connection = BetterSqlite3.Database;

/**
 * The embedded engine's file, shared by any number of processes: WAL, one connection for reading and one for
 * writing, each used by one task at a time. Waiting never holds the event loop. A file that was deleted or
 * replaced under our feet is opened anew; a damaged one is removed, and the outbox fills a new one.
 */
export class SearchFile {
  readonly #file: string;
  readonly #locks = { read: new Mutex(), write: new Mutex() };
  readonly #connections: { read?: Connection; write?: Connection } = {};
  #inode: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether the file is there at all; asking does not make it. */
  exists(): boolean {
    return inodeOf(this.#file) !== undefined;
  }

  /** Runs `work` on one snapshot of the file. */
  read<T>(work: (db: Connection) => T | Promise<T>, timeoutMs: number): Promise<T> {
    return this.#run('read', 'BEGIN', work, timeoutMs);
  }

  /**
   * Runs `work` in one write transaction; all of it is kept or nothing.
   * @param options.durable false where a power cut may take it: it is made again anyway
   */
  write<T>(work: (db: Connection) => T | Promise<T>, timeoutMs: number, { durable = true } = {}): Promise<T> {
    return this.#run('write', 'BEGIN IMMEDIATE', work, timeoutMs, (db) => {
      // The outbox forgets a mark once the engine has it, so the engine must not forget it in a power cut.
      db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    });
  }

  async close(): Promise<void> {
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
      if (isDamaged(error)) this.#removeDamaged(kind);
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
    mkdirSync(path.dirname(this.#file), { recursive: true });
    createPrivateFile(this.#file);
    const db = new BetterSqlite3(this.#file, { timeout: 0 });
    try {
      // For a new file: documents of a few KB would leave half of a page of 4 KB empty.
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
    // The other connection may still be on the file that was there before.
    if (now !== this.#inode) this.#closeConnection(kind === 'read' ? 'write' : 'read');
    this.#inode = now;
    this.#connections[kind] = db;
    return db;
  }

  #closeConnection(kind: 'read' | 'write'): void {
    const db = this.#connections[kind];
    this.#connections[kind] = undefined;
    if (db && !db.inTransaction) db.close();
  }

  #removeDamaged(kind: 'read' | 'write'): void {
    this.#closeConnection(kind);
    // Another process may have put a new file in its place already.
    if (this.#inode !== undefined && inodeOf(this.#file) !== this.#inode) return;
    for (const ending of ['-wal', '-shm', '']) rmSync(this.#file + ending, { force: true });
  }

  #explained(error: unknown): AppError {
    if (isAppError(error)) return error;
    const reason = isBusy(error)
      ? 'another process has been writing it for too long'
      : isDamaged(error)
        ? 'it was damaged and has been removed; the next trigger fills a new one'
        : messageOf(error);
    return new AppError('unavailable', `The search file failed: ${reason}`, { cause: error });
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** True for SQLite's answers about a file that cannot be mended. */
function isDamaged(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}
