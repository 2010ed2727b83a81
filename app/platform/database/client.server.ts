import type {
  SqlMigrationAwareDriverAdapterFactory,
  SqlDriverAdapter,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';
import type { Prisma, PrismaClient as SqliteClient } from '#prisma/sqlite/generated/client.ts';
import type { DatabaseTarget } from '../env.server.ts';
import { poolConfig } from './postgres-hosts.server.ts';
import { setDriver, type Driver } from './read-rows.server.ts';
import type { Checkpoint } from './sqlite-wal.server.ts';
import { timedAdapter, type OnStatement } from './timed-adapter.server.ts';
import { Mutex } from '#app/platform/jobs/mutex.ts';

/** The database. Both sides are typed as the SQLite client, their common denominator. */
export type Database = SqliteClient;

/** What a function gets inside a transaction. */
export type Transaction = Prisma.TransactionClient;

export type { Prisma };
/** For the few statements that Prisma cannot write; both databases must understand them. */
export { join as joinSql, raw as rawSql, sqltag as sql } from '@prisma/client/runtime/client';

// Prisma's defaults (2 s and 5 s) are too short for a busy SQLite file or a large batch.
export const transactionOptions = { maxWait: 15_000, timeout: 60_000 };

export interface DatabaseOptions {
  /** Transactions are read snapshots. */
  readSnapshots?: boolean;
  /** SQLite: the file can be lost, so no commit waits for the disk. */
  isDisposable?: boolean;
  /** PostgreSQL: a statement that takes longer fails. SQLite always waits ten seconds. */
  statementTimeoutMs?: number;
  onStatement?: OnStatement;
  /** SQLite: who makes checkpoints. Absent: commits make them. */
  checkpoint?: Checkpoint;
}

/**
 * Opens the database that the target names. Reads nothing before the first query, and does not load the driver of the
 * other database.
 */
export async function openDatabase(target: DatabaseTarget, options: DatabaseOptions = {}): Promise<Database> {
  const driver: Driver = { dialect: target.dialect };
  const measured = <Factory extends SqlMigrationAwareDriverAdapterFactory>(factory: Factory) =>
    keepAdapter(options.onStatement ? timedAdapter(factory, options.onStatement) : factory, driver);
  if (target.dialect === 'postgresql') {
    const { PrismaPg } = await import('@prisma/adapter-pg');
    const { PrismaClient } = await import('#prisma/postgresql/generated/client.ts');
    const adapter = new PrismaPg({
      ...(await poolConfig(target.url)),
      max: 10,
      connectionTimeoutMillis: 5_000,
      // The client's own time-out: a server that hangs would not enforce one.
      query_timeout: options.statementTimeoutMs,
      keepAlive: true,
      idle_in_transaction_session_timeout: 60_000,
      application_name: 'dateline',
    });
    const isolation = options.readSnapshots ? { isolationLevel: 'RepeatableRead' as const } : {};
    const client = new PrismaClient({
      adapter: measured(serialTransactions(adapter)),
      errorFormat: 'minimal',
      transactionOptions: { ...transactionOptions, ...isolation },
    });
    setDriver(client, driver);
    return client as unknown as Database;
  }
  const { SqliteAdapterFactory } = await import('./sqlite-adapter.server.ts');
  const { PrismaClient } = await import('#prisma/sqlite/generated/client.ts');
  const adapter = new SqliteAdapterFactory(target.file, options);
  const client = new PrismaClient({ adapter: measured(adapter), errorFormat: 'minimal', transactionOptions });
  setDriver(client, driver);
  return client;
}

/** The same adapter. Stores the connected adapter in `driver`. */
function keepAdapter<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
  driver: Driver,
): Factory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => (driver.adapter = await connect());
  return factory;
}

/**
 * The same adapter. Runs the statements of a transaction one after the other: Prisma reads the relations of a row at
 * the same time, but a PostgreSQL connection takes one statement, and `pg` warns when it has to queue others.
 */
export function serialTransactions<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
): Factory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter: SqlDriverAdapter = await connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      const transaction = await startTransaction(isolation);
      serialise(transaction);
      return transaction;
    };
    return adapter;
  };
  return factory;
}

function serialise(queryable: SqlQueryable): void {
  const mutex = new Mutex();
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => mutex.run(() => queryRaw(query));
  queryable.executeRaw = (query) => mutex.run(() => executeRaw(query));
}
