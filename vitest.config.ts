import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/setup/test-sequencer.ts';
import { thoroughTests } from './tests/thorough-tests.ts';

/** `npm test`; everything else, also a single file, runs all that it names. */
const isQuick = process.env.DATELINE_TESTS === 'quick';

interface SuiteOptions {
  /** Time limit of a test, only against what hangs: a machine with other work takes several times as long. */
  timeout: number;
  exclude?: string[];
  /** Runs after the suites of a lower number: it needs the machine. */
  order?: number;
  /** Files at a time in a suite with an order. */
  workers?: number;
  /** The quick run uses SQLite alone. */
  quickOnSqlite?: boolean;
}

/** What runs in the same workers; a folder is run by itself with `npx vitest run tests/http`. */
const suite = (name: string, include: string[], options: SuiteOptions) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...(options.exclude ?? []), ...(isQuick ? thoroughTests : [])],
    testTimeout: options.timeout,
    hookTimeout: 300_000,
    // Files share their modules within a worker: loading the product took longer than many a file's tests.
    isolate: false,
    env: {
      DATELINE_TEST_DATABASES: isQuick && options.quickOnSqlite ? 'sqlite' : 'sqlite,postgresql',
    },
    globalSetup: ['tests/setup/test-databases.ts'],
    setupFiles: ['tests/setup/console.ts', 'tests/setup/environment.ts', 'tests/setup/file-end.ts'],
    ...(options.order ? { maxWorkers: options.workers, sequence: { groupOrder: options.order } } : {}),
  },
});

const publishing = 'tests/integration/publish-*.test.ts';

// The suites of the product share their workers: each new worker loads the product again.
const product = ['unit', 'integration', 'http', 'cli'].map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`);

const quick = [
  suite('publishing', [publishing], { timeout: 300_000 }),
  suite('product', product, { timeout: 300_000, exclude: [publishing], quickOnSqlite: true }),
  suite('project', ['tests/project/**/*.test.ts'], { timeout: 120_000 }),
];

const thorough = [
  suite('browser', ['tests/browser/**/*.test.ts'], {
    timeout: 360_000,
    order: 1,
    workers: 3,
  }),
  suite('faults', ['tests/faults/**/*.test.ts'], {
    timeout: 540_000,
    order: 1,
    workers: 3,
  }),
];

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  test: {
    pool: 'forks',
    // The stylesheets of the site's appearance are read as text.
    css: true,
    // What is waited for comes when a loaded machine has come to it; vitest's own second is too short.
    expect: { poll: { timeout: 60_000 } },
    // Tests wait for servers, commands and browsers that they start; one more than there are cores keeps those busy.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    // The next run, in CI also that of the next version of Node, reads what this one has compiled.
    experimental: { fsModuleCache: true },
    projects: isQuick ? quick : [...quick, ...thorough],
  },
});
