import path from 'node:path';
import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { makeFolder, createPrivateFile, readableFile } from '#app/platform/files/disk.server.ts';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { Mutex } from '#app/platform/jobs/concurrency.ts';
import { isBusy, whileBusy } from './sqlite-busy.server.ts';
import { SqliteConnection } from './sqlite-connection.server.ts';
import { WriteAheadLog, type Checkpoint } from './sqlite-wal.server.ts';

const adapterName = 'dateline-sqlite';

export interface SqliteAdapterOptions {
  /** Transactions are read snapshots (`BEGIN` and one read) instead of write transactions. */
  readSnapshots?: boolean;
  /** Commits do not wait for the disk. */
  isDisposable?: boolean;
  /** One connection for everything, for a file that this process only reads: opening one takes milliseconds. */
  readsOnly?: boolean;
  /** SQLite: who makes checkpoints. Absent: commits make them. */
  checkpoint?: Checkpoint;
}

/**
 * Prisma's driver for a SQLite file that several processes use. One reader and one writer connection. Reads go to the
 * reader; writes and transactions take an in-process mutex, `BEGIN IMMEDIATE`, and retry while the file is busy without
 * holding the event loop. SQLite answers synchronously, so a statement first yields to the event loop if the statements
 * before it took long (decision 038).
 */
export class SqliteAdapterFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;
  readonly #file: string;
  readonly #options: SqliteAdapterOptions;

  constructor(file: string, options: SqliteAdapterOptions = {}) {
    this.#file = file;
    this.#options = options;
  }

  async connect(): Promise<SqlDriverAdapter> {
    await makeFolder(path.dirname(this.#file));
    createPrivateFile(this.#file);
    const opened = await readableFile(this.#file);
    const writer = new SqliteConnection(opened.file);
    const reader = this.#options.readsOnly ? writer : new SqliteConnection(opened.file);
    for (const connection of new Set([writer, reader])) {
      await configure(connection, this.#options);
      // Writes fail as they do on the disk itself.
      if (opened.isCopy) connection.client.pragma('query_only = ON');
      await yieldAfterLongWork();
    }
    // Half of better-sqlite3's default: the operating system caches the file anyway.
    reader.client.pragma('cache_size = -8000');
    const log = new WriteAheadLog(writer.client, opened.file, this.#options.checkpoint);
    return new SqliteAdapter(writer, reader, { ...this.#options, log, onClosed: opened.remove });
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return Promise.reject(new Error('There is no shadow database.'));
  }
}

async function configure({ client }: SqliteConnection, options: SqliteAdapterOptions): Promise<void> {
  // Turning WAL on needs exclusive access for a moment. Afterwards the mode is stored in the file.
  await whileBusy(() => client.pragma('journal_mode = WAL'));
  client.pragma(`synchronous = ${options.isDisposable ? 'OFF' : 'FULL'}`);
  client.pragma('foreign_keys = ON');
}

type ConnectedOptions = SqliteAdapterOptions & { log: WriteAheadLog; onClosed: () => Promise<void> };

class SqliteAdapter implements SqlDriverAdapter {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #options: ConnectedOptions;
  readonly #mutex = new Mutex();

  constructor(writer: SqliteConnection, reader: SqliteConnection, options: ConnectedOptions) {
    this.#writer = writer;
    this.#reader = reader;
    this.#options = options;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    await yieldAfterLongWork();
    if (await whileBusy(() => this.#isReadOnly(query.sql))) return whileBusy(() => this.#reader.query(query));
    return this.#write(() => this.#writer.query(query));
  }

  async #write<T>(work: () => T): Promise<T> {
    const value = await this.#mutex.run(() => whileBusy(work));
    this.#options.log.committed();
    return value;
  }

  #isReadOnly(sql: string): boolean {
    try {
      return this.#reader.isReadOnly(sql);
    } catch (error) {
      if (isBusy(error)) throw error;
      // The reader then says in Prisma's codes why the statement does not compile.
      return true;
    }
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    await yieldAfterLongWork();
    return this.#write(() => this.#writer.execute(query));
  }

  async executeScript(script: string): Promise<void> {
    return this.#write(() => this.#writer.runScript(script));
  }

  async startTransaction(): Promise<Transaction> {
    const release = await this.#mutex.acquire();
    const writer = this.#writer;
    try {
      if (this.#options.readSnapshots) {
        await whileBusy(() => writer.run('BEGIN'));
        // A deferred transaction has no snapshot before its first read.
        await whileBusy(() => writer.run('SELECT count(*) FROM sqlite_schema'));
      } else {
        await whileBusy(() => writer.run('BEGIN IMMEDIATE'));
      }
    } catch (error) {
      if (writer.client.inTransaction) writer.run('ROLLBACK');
      release();
      throw error;
    }
    return transactionOn(writer, this.#options.log, release);
  }

  async dispose(): Promise<void> {
    this.#reader.close();
    this.#writer.close();
    await this.#options.onClosed();
  }
}

function transactionOn(writer: SqliteConnection, log: WriteAheadLog, release: () => void): Transaction {
  const began = performance.now();
  let isOver = false;
  const finish = async () => {
    isOver = true;
    // Prisma sends COMMIT or ROLLBACK as a statement first; a COMMIT that failed (disk full) leaves
    // the transaction open, and the next one must not inherit it.
    if (writer.client.inTransaction) writer.run('ROLLBACK');
    release();
    log.committed();
  };
  /** Waits for a statement's turn. Meanwhile another statement may have failed and ended the transaction. */
  const turn = async () => {
    await yieldAfterLongWork();
    if (isOver)
      throw new DriverAdapterError({ kind: 'TransactionAlreadyClosed', cause: 'It was rolled back.' });
  };
  const savepoint = async (sql: string) => void writer.execute({ sql, args: [], argTypes: [] });
  return {
    provider: 'sqlite',
    adapterName,
    options: { usePhantomQuery: false },
    async queryRaw(query) {
      await turn();
      return writer.query(query);
    },
    async executeRaw(query) {
      await turn();
      if (query.sql === 'COMMIT') await log.flush(began);
      return whileBusy(() => writer.execute(query));
    },
    commit: finish,
    rollback: finish,
    createSavepoint: (name) => savepoint(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => savepoint(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => savepoint(`RELEASE SAVEPOINT ${name}`),
  };
}
