import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';

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
