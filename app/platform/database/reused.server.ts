import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { yieldAfterLongWork } from '#app/platform/jobs/event-loop.server.ts';
import { transactionOptions, type Database } from './client.server.ts';
import { SqliteAdapterFactory, type SqliteAdapterOptions } from './sqlite-adapter.server.ts';

/** Clients that are kept for further files. */
const IDLE_MAX = 3;
/** Nobody else waits for these files, and at the lowest priority a minute of a busy machine may be too short. */
const TRANSACTION_MS = 5 * 60_000;

/** A client that reads one SQLite file after the other. */
interface Client {
  db: Database;
  /** The file that it reads now. */
  adapter: SqlDriverAdapter | undefined;
}

/** Opens temporary SQLite files. A client whose file was closed is used for the next file. */
export class ReusedDatabases {
  readonly #idle: Client[] = [];

  /**
   * Opens a file, with a client that has read another file before if one is idle. A client compiles each kind of query
   * the first time: 30 ms for a first page (measured), against 3 ms to open a file.
   * @returns `close` closes the file; `db` must not be used afterwards, because it is reused for another file
   */
  async open(
    file: string,
    options: Pick<SqliteAdapterOptions, 'readsOnly'> = {},
  ): Promise<{ db: Database; close(): Promise<void> }> {
    const adapter = await new SqliteAdapterFactory(file, { ...options, isDisposable: true }).connect();
    await yieldAfterLongWork();
    const client = this.#idle.pop() ?? (await createClient());
    client.adapter = adapter;
    return {
      db: client.db,
      close: async () => {
        if (client.adapter !== adapter) return;
        client.adapter = undefined;
        await adapter.dispose();
        if (this.#idle.length < IDLE_MAX) this.#idle.push(client);
        else await client.db.$disconnect();
      },
    };
  }
}

async function createClient(): Promise<Client> {
  const { PrismaClient } = await import('#prisma/sqlite/generated/client.ts');
  const client: Partial<Client> = {};
  const adapter = () => {
    if (!client.adapter) throw new Error('This database has been closed.');
    return client.adapter;
  };
  const current: SqlDriverAdapter = {
    provider: 'sqlite',
    adapterName: 'dateline-reused-sqlite',
    queryRaw: async (query) => adapter().queryRaw(query),
    executeRaw: async (query) => adapter().executeRaw(query),
    executeScript: async (script) => adapter().executeScript(script),
    startTransaction: async (isolation) => adapter().startTransaction(isolation),
    dispose: async () => client.adapter?.dispose(),
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'sqlite',
    adapterName: current.adapterName,
    connect: () => Promise.resolve(current),
    connectToShadowDb: () => Promise.reject(new Error('There is no shadow database.')),
  };
  const db = new PrismaClient({
    adapter: factory,
    errorFormat: 'minimal',
    transactionOptions: { ...transactionOptions, timeout: TRANSACTION_MS },
  });
  client.db = db;
  await yieldAfterLongWork();
  await db.$connect();
  return client as Client;
}
