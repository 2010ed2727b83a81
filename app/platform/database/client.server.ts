import {
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlDriverAdapter,
  type SqlQueryable,
  ColumnTypeEnum,
  type ArgType,
  type ColumnType,
} from '@prisma/driver-adapter-utils';
import type { DatabaseTarget } from '#app/platform/env.server.ts';
import { Mutex } from '#app/platform/jobs/concurrency.ts';
import type { Prisma, PrismaClient as SqliteClient, PrismaClient } from '#prisma/sqlite/generated/client.ts';
import { poolConfig } from './postgres.server.ts';
import type { Checkpoint } from './sqlite-wal.server.ts';

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

/**
 * The property of a client that holds its driver. A registered symbol, since the server and Remix's build each have
 * this file.
 */
const DRIVER = Symbol.for('dateline.driver');

/** The driver below a client. */
interface Driver {
  dialect: DatabaseTarget['dialect'];
  /** Connected by the client's first statement. */
  adapter?: SqlDriverAdapter;
}

interface Marked {
  [DRIVER]?: Driver & { client: object };
}

function setDriver(client: object, driver: Driver): void {
  (client as Marked)[DRIVER] = Object.assign(driver, { client });
}

/** Null for a transaction, which has a connection of its own, and before the client is connected. */
function driverOf(db: object): Required<Driver> | null {
  const driver = (db as Marked)[DRIVER];
  return driver?.adapter && driver.client === db ? { ...driver, adapter: driver.adapter } : null;
}

const { DateTime, Int64, Text, Character, Int32, UnknownNumber, Boolean, Enum } = ColumnTypeEnum;
/** Column types whose values need no conversion. */
const plainTypes: ReadonlySet<unknown> = new Set([Text, Character, Int32, UnknownNumber, Boolean, Enum]);

/**
 * Reads rows with SQL of our own, directly from the driver: Prisma's own work for a statement costs ten times the
 * database's (measured). Within a transaction, and before the client is connected, Prisma runs the statement.
 */
export async function readRows<Row>(
  db: Pick<PrismaClient, '$queryRaw'>,
  statement: Prisma.Sql,
): Promise<Row[]> {
  const driver = driverOf(db);
  if (!driver) return db.$queryRaw<Row[]>(statement);
  const { columnNames, columnTypes, rows } = await driver.adapter.queryRaw({
    sql: driver.dialect === 'postgresql' ? statement.text : statement.sql,
    args: statement.values,
    argTypes: statement.values.map(argType),
  });
  const convert = columnTypes.map(converterOf);
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (const [index, value] of row.entries())
      named[columnNames[index]!] = value === null ? null : (convert[index]?.(value as string) ?? value);
    return named as Row;
  });
}

/** Converts a column's values as Prisma does. Undefined if they need no conversion. */
function converterOf(type: ColumnType): ((value: string) => unknown) | undefined {
  if (plainTypes.has(type)) return undefined;
  if (type === DateTime) return (value) => new Date(value);
  if (type === Int64) return BigInt;
  throw new Error(`Nothing is known of columns of type ${type}.`);
}

function argType(value: unknown): ArgType {
  if (value instanceof Date) return { scalarType: 'datetime', arity: 'scalar' };
  if (typeof value === 'number') return { scalarType: 'int', arity: 'scalar' };
  return { scalarType: 'string', arity: 'scalar' };
}

/** A statement that has ended. */
export interface Statement {
  /** Its text, with placeholders instead of values. */
  sql: string;
  /** How long it took, waiting for a connection included. */
  seconds: number;
  /** The error that it threw. */
  failure?: { error: unknown };
}

/** Called for each statement, in the asynchronous context of its caller. */
export type OnStatement = (statement: Statement) => void;

/** The same adapter. Measures every statement. */
export function timedAdapter<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
  onStatement: OnStatement,
): Factory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter: SqlDriverAdapter = await connect();
    measure(adapter, onStatement);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      const transaction = await startTransaction(isolation);
      measure(transaction, onStatement);
      return transaction;
    };
    return adapter;
  };
  return factory;
}

function measure(queryable: SqlQueryable, onStatement: OnStatement): void {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = (query) => timed(query.sql, () => queryRaw(query), onStatement);
  queryable.executeRaw = (query) => timed(query.sql, () => executeRaw(query), onStatement);
}

/** Runs `work` and reports how long it took, also when it throws. */
async function timed<T>(sql: string, work: () => Promise<T>, onEnd: OnStatement): Promise<T> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const value = await work();
    onEnd({ sql, seconds: seconds() });
    return value;
  } catch (error) {
    onEnd({ sql, seconds: seconds(), failure: { error } });
    throw error;
  }
}
