import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';
import { Mutex } from '#app/platform/jobs/mutex.ts';

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
