import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One kind of suite; each has its own folder and may be run by itself with `--project <name>`. */
const suite = (name: string, include: string[], options: { timeout: number; alone?: boolean }) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: options.alone ? [] : [measurements],
    testTimeout: options.timeout,
    hookTimeout: 120_000,
    // Real processes on a shared machine: one slow moment is no finding, and the report names what was repeated.
    retry: process.env.CI ? 1 : 0,
    globalSetup: ['tests/setup/test-databases.ts'],
    setupFiles: ['tests/setup/console.ts', 'tests/setup/environment.ts'],
    // What measures time runs after everything else and by itself.
    ...(options.alone ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : {}),
  },
});

const measurements = 'tests/**/*.measured.test.ts';

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  test: {
    pool: 'forks',
    // What is waited for comes when a loaded machine has come to it; vitest's own second is too short.
    expect: { poll: { timeout: 30_000 } },
    // PostgreSQL and the child processes of the http and cli suites want a share of the cores too.
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())),
    projects: [
      suite('unit', ['tests/unit/**/*.test.{ts,tsx}'], { timeout: 20_000 }),
      suite('database', ['tests/integration/**/*.test.ts'], { timeout: 60_000 }),
      suite('http', ['tests/http/**/*.test.ts'], { timeout: 60_000 }),
      suite('cli', ['tests/cli/**/*.test.ts'], { timeout: 120_000 }),
      suite('faults', ['tests/faults/**/*.test.ts'], { timeout: 180_000, alone: true }),
      suite('project', ['tests/project/**/*.test.ts'], { timeout: 120_000 }),
      suite('measured', [measurements], { timeout: 120_000, alone: true }),
      suite('browser', ['tests/browser/**/*.test.ts'], { timeout: 120_000 }),
    ],
  },
});
