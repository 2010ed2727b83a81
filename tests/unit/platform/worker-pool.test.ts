import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerPool } from '#app/platform/worker-pool.server.ts';
import type { StartRunner } from '#app/platform/worker-runner.server.ts';

let processorMs = 0;
/** A thread that never ends its task. */
const startEndless: StartRunner = (_, { onMessage }) => {
  queueMicrotask(() => onMessage({ kind: 'ready' }));
  return { send() {}, keepAlive() {}, processorMs: () => processorMs, end: () => Promise.resolve() };
};

let outcome: string | undefined;
beforeEach(async () => {
  vi.useFakeTimers();
  processorMs = 0;
  outcome = undefined;
  const pool = new WorkerPool({
    start: startEndless,
    file: '',
    workerData: null,
    limits: { maxOldGenerationSizeMb: 64 },
    threads: 1,
    queue: 1,
    waitMs: 1_000,
    deadlineMs: 5_000,
    idleMs: 1_000,
  });
  pool.run('text').catch((error: unknown) => (outcome = String(error)));
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => void vi.useRealTimers());

it('ends a task that has computed until its deadline', async () => {
  processorMs = 4_900;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(outcome).toBe('TaskLimitError: Not done within 5000 ms');
});

it('gives a task more time that a busy machine let compute for less than half of its deadline', async () => {
  processorMs = 1_000;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(outcome).toBeUndefined();
  processorMs = 2_600;
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TaskLimitError: Not done within 10000 ms');
});

it('ends a task after six deadlines, however busy the machine is', async () => {
  await vi.advanceTimersByTimeAsync(30_000);
  expect(outcome).toBe('TaskLimitError: Not done within 30000 ms');
});
