import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { thoroughTests } from './tests/thorough-tests.ts';

/** `npm test`; everything else, also a single file, runs all that it names. */
const isQuick = process.env.DATELINE_TESTS === 'quick';

interface SuiteOptions {
  timeout: number;
  exclude?: string[];
  /** Runs by itself, after the suites of a lower number: it measures time or breaks what others use. */
  order?: number;
  /** Files at a time in a suite that runs by itself. */
  workers?: number;
  /** Files share their modules within a worker: for tests without processes, databases and folders. */
  shared?: boolean;
  /** The quick run uses SQLite alone. */
  quickOnSqlite?: boolean;
}

/** One kind of suite; each has its own folder and may be run by itself with `--project <name>`. */
const suite = (name: string, include: string[], options: SuiteOptions) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...(options.exclude ?? []), ...(isQuick ? thoroughTests : [])],
    testTimeout: options.timeout,
    hookTimeout: 120_000,
    // In CI a test that fails runs once more, and the report names it: some still kill processes at random moments.
    retry: process.env.CI ? 1 : 0,
    isolate: !options.shared,
    env: { DATELINE_TEST_DATABASES: isQuick && options.quickOnSqlite ? 'sqlite' : 'sqlite,postgresql' },
    globalSetup: ['tests/setup/test-databases.ts'],
    setupFiles: ['tests/setup/console.ts', 'tests/setup/environment.ts'],
    ...(options.order ? { maxWorkers: options.workers ?? 1, sequence: { groupOrder: options.order } } : {}),
  },
});

const measurements = 'tests/**/*.measured.test.ts';
const publishing = 'tests/integration/publish-*.test.ts';
const integration = 'tests/integration/**/*.test.ts';

const quick = [
  suite('unit', ['tests/unit/**/*.test.{ts,tsx}'], { timeout: 20_000, shared: true }),
  suite('publishing', [publishing], { timeout: 60_000 }),
  suite('database', [integration], {
    timeout: 60_000,
    exclude: [publishing, measurements],
    quickOnSqlite: true,
  }),
  suite('http', ['tests/http/**/*.test.ts'], { timeout: 60_000, quickOnSqlite: true }),
  suite('cli', ['tests/cli/**/*.test.ts'], { timeout: 120_000, quickOnSqlite: true }),
  suite('project', ['tests/project/**/*.test.ts'], { timeout: 120_000 }),
];

const thorough = [
  suite('faults', ['tests/faults/**/*.test.ts'], { timeout: 180_000, order: 1 }),
  suite('measured', [measurements], { timeout: 120_000, order: 2 }),
  suite('browser', ['tests/browser/**/*.test.ts'], { timeout: 120_000, order: 3, workers: 2 }),
];

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  test: {
    pool: 'forks',
    // The stylesheets of the site's appearance are read as text.
    css: true,
    // What is waited for comes when a loaded machine has come to it; vitest's own second is too short.
    expect: { poll: { timeout: 30_000 } },
    // PostgreSQL and the child processes of the http and cli suites want a share of the cores too.
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())),
    projects: isQuick ? quick : [...quick, ...thorough],
  },
});
