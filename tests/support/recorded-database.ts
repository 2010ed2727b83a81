import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import { databaseTarget } from '#app/platform/env.server.ts';
import type { Database } from '#app/platform/database.server.ts';
import { SqliteAdapterFactory } from '#app/platform/sqlite-adapter.server.ts';
import { PrismaClient } from '#prisma/sqlite/generated/client.ts';

/** What a database was asked to do. */
export interface Recording {
  /** The SQL of every statement, without BEGIN and COMMIT. */
  statements: string[];
  /** Transactions, and writes that are one by themselves. */
  commits: number;
}

/** Opens a SQLite database a second time; the recording grows with every statement. */
export function recordDatabase(url: string): { db: Database; recording: Recording } {
  const recording: Recording = { statements: [], commits: 0 };
  const target = databaseTarget(url);
  if (target.dialect !== 'sqlite') throw new Error('Only SQLite is recorded.');
  const factory = new SqliteAdapterFactory(target.file);
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
  return { db: new PrismaClient({ adapter: factory, errorFormat: 'minimal' }), recording };
}

function record(queryable: SqlQueryable, { statements }: Recording, onWrite?: () => void): void {
  for (const method of ['queryRaw', 'executeRaw'] as const) {
    const run = queryable[method].bind(queryable) as (query: { sql: string }) => Promise<never>;
    queryable[method] = (query: { sql: string }) => {
      // Prisma sends these as statements too.
      if (!/^(BEGIN|COMMIT|ROLLBACK)\b/i.test(query.sql)) statements.push(query.sql);
      if (/^(INSERT|UPDATE|DELETE)\b/i.test(query.sql)) onWrite?.();
      return run(query);
    };
  }
}
