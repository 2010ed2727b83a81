import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQueryable,
} from '@prisma/driver-adapter-utils';

/** Told of each statement: how long it took, waiting for a connection included, and what it threw, if it failed. */
export type OnStatement = (seconds: number, failure?: { error: unknown }) => void;

/** The same adapter, with every statement measured. */
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
  queryable.queryRaw = (query) => timed(() => queryRaw(query), onStatement);
  queryable.executeRaw = (query) => timed(() => executeRaw(query), onStatement);
}

/** Runs `work` and tells how long it took; what it throws passes through. */
async function timed<T>(work: () => Promise<T>, onEnd: OnStatement): Promise<T> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const value = await work();
    onEnd(seconds());
    return value;
  } catch (error) {
    onEnd(seconds(), { error });
    throw error;
  }
}
