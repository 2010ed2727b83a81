import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv, type Dialect } from '#app/platform/env.server.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import { createTestDatabase, describeOnBothDatabases } from './databases.ts';
import { tempFolder } from './temp-folder.ts';

/** An `App` with its own database, search index and uploads folder. */
export interface TestApp extends App {
  clock: FakeClock;
  /** The same as environment variables, for `runCommand` and `startServer`. */
  variables: Record<string, string>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  dialect?: Dialect;
  /** PostgreSQL sorts by the rules of this ICU locale instead of by bytes. */
  locale?: string;
  /** Where the fake clock starts: ISO 8601 or Date. */
  now?: string | Date;
  /** `threads` renders in worker threads, as the server does. Other tests use `inline`, which starts faster. */
  workers?: 'threads' | 'inline';
  /** Environment variables beside the test's own. */
  variables?: Record<string, string>;
}

/** Builds an `App` for one test. The test closes it; `describeWithApp` does both. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await tempFolder();
  const database = await createTestDatabase(options.dialect ?? 'sqlite', { locale: options.locale });
  const variables = {
    DATABASE_URL: database.url,
    SEARCH_HOST: `file:${path.join(folder, 'search.db')}`,
    UPLOADS_DIR: path.join(folder, 'uploads'),
    AUTH_SECRET: 'test-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    INTERNAL_CRON_SECRET: 'test-cron-secret',
    LOG_LEVEL: 'silent',
    ...options.variables,
  };
  const clock = fakeClock(options.now);
  const { workers = 'inline' } = options;
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr', clock, workers });
  return {
    ...app,
    clock,
    variables,
    async close() {
      await closeApp(app);
      await database.drop();
    },
  };
}

type AppTests = (getApp: () => TestApp, dialect: Dialect) => void;

interface SharedOptions extends Omit<TestAppOptions, 'dialect'> {
  /** Other than both. */
  dialects?: readonly Dialect[];
}

/** Runs the same tests on both databases, each test with a new app: `getApp()` inside a test. */
export function describeWithApp(name: string, body: AppTests, options: SharedOptions = {}): void {
  describeApps(name, body, options, { before: beforeEach, after: afterEach });
}

/** Runs the same tests on both databases, all with one app: for tests that read what one set-up wrote. */
export function describeWithOneApp(name: string, body: AppTests, options: SharedOptions = {}): void {
  describeApps(name, body, options, { before: beforeAll, after: afterAll });
}

function describeApps(
  name: string,
  body: AppTests,
  { dialects, ...options }: SharedOptions,
  { before, after }: { before: typeof beforeEach; after: typeof afterEach },
): void {
  describeOnBothDatabases(
    name,
    (dialect) => {
      let app: TestApp | undefined;
      before(async () => {
        app = await createTestApp({ ...options, dialect });
      });
      after(async () => {
        await app?.close();
        app = undefined;
      });
      body(() => app!, dialect);
    },
    dialects,
  );
}
