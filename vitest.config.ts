import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/setup/test-sequencer.ts';
import { nightlyFiles, slowFiles, sqliteFiles } from './tests/plan.ts';

/**
 * What `tests/run.mjs` runs by itself: `quick`, as `npm test` does, `commit`, as CI does, or one suite. Otherwise every
 * suite is there, and vitest runs the files that it is given.
 */
const alone = process.env.DATELINE_TESTS;
const isQuick = alone === 'quick';
const leftOut = isQuick ? slowFiles : alone === 'commit' ? nightlyFiles : [];

interface SuiteOptions {
  /** Time limit of a test, only against what hangs: a machine with other work takes several times as long. */
  timeout: number;
  exclude?: string[];
  /** Runs after the suites of a lower number: it needs the machine. */
  order?: number;
  /** Files at a time in a suite with an order. */
  workers?: number;
  /** Uses SQLite alone. */
  onSqlite?: boolean;
}

/** Tests that mostly wait for browsers and servers which they start: those use a third of a core each. */
const WAITING: SuiteOptions = { timeout: 540_000, order: 1, workers: 4 };

/** What runs in the same workers; a folder is run by itself with `npx vitest run tests/http`. */
const suite = (name: string, include: string[], options: SuiteOptions) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...(options.exclude ?? []), ...leftOut],
    testTimeout: options.timeout,
    hookTimeout: 300_000,
    // Files share their modules within a worker: loading the product took longer than many a file's tests.
    isolate: false,
    env: {
      DATELINE_TEST_DATABASES: options.onSqlite ? 'sqlite' : 'sqlite,postgresql',
    },
    globalSetup: ['tests/setup/test-databases.ts'],
    setupFiles: ['tests/setup/console.ts', 'tests/setup/environment.ts', 'tests/setup/file-end.ts'],
    ...(options.order ? { maxWorkers: options.workers, sequence: { groupOrder: options.order } } : {}),
  },
});

const testsOf = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`);
const publishing = 'tests/integration/publishing/publish-*.test.ts';
const product = ['unit', 'integration', 'http', 'cli'];

// On SQLite alone, but for publishing.
const quick = [
  suite('publishing', [publishing], { timeout: 300_000 }),
  suite('product', testsOf(...product), { timeout: 300_000, exclude: [publishing], onSqlite: true }),
  suite('project', testsOf('project'), { timeout: 120_000 }),
];

// Files of two suites never share a worker, and each new worker loads the product again: 3 s of processor time.
const everything = [
  suite('product', testsOf(...product, 'project'), { timeout: 300_000 }),
  suite('browser and faults', testsOf('browser', 'faults'), WAITING),
];

const commit = [
  suite('product', testsOf(...product, 'project'), { timeout: 300_000, exclude: sqliteFiles }),
  suite('on SQLite', sqliteFiles, { timeout: 300_000, onSqlite: true }),
  suite('browser and faults', testsOf('browser', 'faults'), WAITING),
];

const suites = {
  quick,
  commit,
  browser: [suite('browser', testsOf('browser'), WAITING)],
  faults: [suite('faults', testsOf('faults'), WAITING)],
};

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
    projects: suites[alone as keyof typeof suites] ?? everything,
  },
});
