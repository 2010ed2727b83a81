import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import {
  transactionOptions,
  type Database,
  serialTransactions,
  timedAdapter,
  type OnStatement,
} from '#app/platform/database/client.server.ts';
import { SqliteAdapterFactory } from '#app/platform/database/sqlite-adapter.server.ts';
import { databaseTarget } from '#app/platform/env.server.ts';
import { PrismaClient as PostgresClient } from '#prisma/postgresql/generated/client.ts';
import { PrismaClient } from '#prisma/sqlite/generated/client.ts';

/** What a database was asked to do. */
export interface Recording {
  /** The SQL of every statement, without BEGIN and COMMIT. */
  statements: string[];
  /** The same with their values. */
  queries: SqlQuery[];
  /** Transactions, and single writes outside of them. */
  commits: number;
}

/** Opens a database a second time; the recording grows with every statement. */
export function recordDatabase(
  url: string,
  onStatement: OnStatement = () => undefined,
): { db: Database; recording: Recording } {
  const recording: Recording = { statements: [], queries: [], commits: 0 };
  const target = databaseTarget(url);
  const factory =
    target.dialect === 'sqlite'
      ? new SqliteAdapterFactory(target.file)
      : serialTransactions(new PrismaPg({ connectionString: target.url, max: 4 }));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter: SqlDriverAdapter = await connect();
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => {
      recording.commits += 1;
      const transaction = await startTransaction(isolation);
      record(transaction, recording);
      return transaction;
    };
    record(adapter, recording, () => (recording.commits += 1));
    return adapter;
  };
  const options = {
    adapter: timedAdapter(factory, onStatement),
    errorFormat: 'minimal' as const,
    transactionOptions,
  };
  const db = target.dialect === 'sqlite' ? new PrismaClient(options) : new PostgresClient(options);
  return { db: db as unknown as Database, recording };
}

function record(queryable: SqlQueryable, recording: Recording, onWrite?: () => void): void {
  for (const method of ['queryRaw', 'executeRaw'] as const) {
    const run = queryable[method].bind(queryable) as (query: SqlQuery) => Promise<never>;
    queryable[method] = (query: SqlQuery) => {
      // Prisma sends these as statements too.
      if (!/^(BEGIN|COMMIT|ROLLBACK)\b/i.test(query.sql)) {
        recording.statements.push(query.sql);
        recording.queries.push(query);
      }
      if (/^(INSERT|UPDATE|DELETE)\b/i.test(query.sql)) onWrite?.();
      return run(query);
    };
  }
}
