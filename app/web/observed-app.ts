import type { App } from '#app/app.ts';
import { createApp } from '#app/compose.server.ts';
import type { Metrics } from '#app/operations/metrics.server.ts';
import type { Tracing } from '#app/operations/tracing.server.ts';
import type { WriteCheck } from '#app/operations/write-check.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { timedEngine } from '#app/search/timed-engine.ts';

/** Time limit of one statement on PostgreSQL, as long as SQLite waits for its file. */
const STATEMENT_MS = 10_000;

/** What is told of each statement and search. The app exists first: these need it. */
export interface Observers {
  metrics?: Metrics;
  tracing?: Tracing;
  writeCheck?: WriteCheck;
}

/** The app of a server. Its observers may be set later. */
export async function createObservedApp(env: Env, observers: Observers): Promise<App> {
  const app = await createApp(env, {
    logTo: 'stdout',
    database: {
      statementTimeoutMs: STATEMENT_MS,
      onStatement(statement) {
        observers.metrics?.countStatement(statement);
        observers.tracing?.noteStatement(statement);
        if (statement.failure) observers.writeCheck?.noteFailure(statement.failure.error);
      },
    },
  });
  const search = timedEngine(app.search, (call) => {
    observers.metrics?.countSearch(call);
    observers.tracing?.noteSearch(call);
  });
  return { ...app, search };
}
