import path from 'node:path';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from '@prisma/driver-adapter-utils';
import type BetterSqlite3 from 'better-sqlite3';
import { makeFolder } from '#app/platform/files/make-folder.server.ts';
import { createPrivateFile } from '#app/platform/files/private-file.server.ts';
import { readableFile } from '#app/platform/files/read-only-disk.server.ts';
import { yieldToEventLoop } from '#app/platform/jobs/event-loop.server.ts';
import { Mutex } from '#app/platform/jobs/mutex.ts';
import { isBusy, whileBusy } from './sqlite-busy.server.ts';
import { WriteAheadLog, type Checkpoint } from './sqlite-wal.server.ts';
import { cacheStatements } from './statement-cache.ts';

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
 * The stock better-sqlite3 adapter made safe under several processes. Measured: stock, 50 concurrent
 * read-modify-write transactions beside another writing process all failed (SQLITE_BUSY_SNAPSHOT after
 * a deferred BEGIN), and writes from outside a transaction leaked into the open one.
 *
 * One reader and one writer connection. Reads go to the reader; writes and transactions take an
 * in-process mutex, `BEGIN IMMEDIATE`, and retry while the file is busy without holding the event loop.
 */
export class SqliteAdapterFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'sqlite';
  readonly adapterName = 'dateline-better-sqlite3';
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
    const stock = stockFactory(opened.file);
    const writer = (await stock.connect()) as StockAdapter;
    const reader = this.#options.readsOnly ? writer : ((await stock.connect()) as StockAdapter);
    const connections = new Set([writer, reader]);
    for (const { client } of connections) {
      await configure(client, this.#options);
      // Writes fail as they do on the disk itself.
      if (opened.isCopy) client.pragma('query_only = ON');
      await yieldToEventLoop();
    }
    // Half of better-sqlite3's default: the operating system caches the file anyway.
    reader.client.pragma('cache_size = -8000');
    // A save sends the same thirty statements each time, an import thousands of times.
    for (const { client } of connections) cacheStatements(client);
    const log = new WriteAheadLog(writer.client, opened.file, this.#options.checkpoint);
    return new TwoConnectionAdapter(writer, reader, { ...this.#options, log, onClosed: opened.remove });
  }

  connectToShadowDb(): Promise<SqlDriverAdapter> {
    return stockFactory(this.#file).connectToShadowDb();
  }
}

// timeout 0: SQLite's own busy handler would sleep on the event loop.
const stockFactory = (file: string) => new PrismaBetterSqlite3({ url: file, timeout: 0 });

// `client` is private in the stock adapter's types; the pinned version makes this safe.
type StockAdapter = SqlDriverAdapter & { client: BetterSqlite3.Database };

async function configure(client: BetterSqlite3.Database, options: SqliteAdapterOptions): Promise<void> {
  // Turning WAL on needs exclusive access for a moment. Afterwards the mode is stored in the file.
  await whileBusy(() => client.pragma('journal_mode = WAL'));
  client.pragma(`synchronous = ${options.isDisposable ? 'OFF' : 'FULL'}`);
  client.pragma('foreign_keys = ON');
}

type ConnectedOptions = SqliteAdapterOptions & { log: WriteAheadLog; onClosed: () => Promise<void> };

class TwoConnectionAdapter implements SqlDriverAdapter {
  readonly provider = 'sqlite';
  readonly adapterName = 'dateline-better-sqlite3';
  readonly #writer: StockAdapter;
  readonly #reader: StockAdapter;
  readonly #options: ConnectedOptions;
  readonly #mutex = new Mutex();

  constructor(writer: StockAdapter, reader: StockAdapter, options: ConnectedOptions) {
    this.#writer = writer;
    this.#reader = reader;
    this.#options = options;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    if (await whileBusy(() => this.#isReadOnly(query.sql)))
      return whileBusy(() => this.#reader.queryRaw(query));
    return this.#write(() => this.#writer.queryRaw(query));
  }

  async #write<T>(work: () => Promise<T>): Promise<T> {
    const value = await this.#mutex.run(() => whileBusy(work));
    this.#options.log.committed();
    return value;
  }

  #isReadOnly(sql: string): boolean {
    try {
      return this.#reader.client.prepare(sql).readonly;
    } catch (error) {
      if (isBusy(error)) throw error;
      // A statement that does not compile goes to the stock adapter, which says why in Prisma's codes.
      return true;
    }
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.#write(() => this.#writer.executeRaw(query));
  }

  async executeScript(script: string): Promise<void> {
    return this.#write(() => this.#writer.executeScript(script));
  }

  async startTransaction(): Promise<Transaction> {
    const release = await this.#mutex.acquire();
    const { client } = this.#writer;
    try {
      if (this.#options.readSnapshots) {
        await whileBusy(() => client.prepare('BEGIN').run());
        // A deferred transaction has no snapshot before its first read.
        await whileBusy(() => client.prepare('SELECT count(*) FROM sqlite_schema').get());
      } else {
        await whileBusy(() => client.prepare('BEGIN IMMEDIATE').run());
      }
    } catch (error) {
      if (client.inTransaction) client.prepare('ROLLBACK').run();
      release();
      throw error;
    }
    return transactionOn(this.#writer, this.#options.log, release);
  }

  async dispose(): Promise<void> {
    await this.#reader.dispose();
    await this.#writer.dispose();
    await this.#options.onClosed();
  }
}

function transactionOn(writer: StockAdapter, log: WriteAheadLog, release: () => void): Transaction {
  const began = performance.now();
  const finish = async () => {
    // Prisma sends COMMIT or ROLLBACK as a statement first; a COMMIT that failed (disk full) leaves
    // the transaction open, and the next one must not inherit it.
    if (writer.client.inTransaction) writer.client.prepare('ROLLBACK').run();
    release();
    log.committed();
  };
  const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });
  return {
    provider: 'sqlite',
    adapterName: 'dateline-better-sqlite3',
    options: { usePhantomQuery: false },
    queryRaw: (query) => writer.queryRaw(query),
    async executeRaw(query) {
      if (query.sql === 'COMMIT') await log.flush(began);
      return whileBusy(() => writer.executeRaw(query));
    },
    commit: finish,
    rollback: finish,
    createSavepoint: async (name) => void (await writer.executeRaw(statement(`SAVEPOINT ${name}`))),
    rollbackToSavepoint: async (name) => void (await writer.executeRaw(statement(`ROLLBACK TO ${name}`))),
    releaseSavepoint: async (name) => void (await writer.executeRaw(statement(`RELEASE SAVEPOINT ${name}`))),
  };
}
