import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerPool, type StartRunner } from '#app/platform/jobs/worker-pool.server.ts';

let processorMs = 0;
let running = 0;
let kill: (() => void) | undefined;
/** A worker that never ends its task. */
const startEndless: StartRunner = (_, { onMessage, onEnd }) => {
  queueMicrotask(() => onMessage({ kind: 'ready' }));
  running += 1;
  kill = onEnd;
  return {
    send() {},
    ref() {},
    unref() {},
    processorMs: () => processorMs,
    end: () => Promise.resolve((running -= 1)),
  };
};

let pool: WorkerPool;
let outcome: string | undefined;
beforeEach(() => {
  vi.useFakeTimers();
  processorMs = 0;
  running = 0;
  outcome = undefined;
  pool = new WorkerPool({
    start: startEndless,
    file: '',
    niceness: 0,
    workerData: {},
    limits: { maxOldGenerationSizeMb: 64 },
    workers: 1,
    queue: 1,
    waitMs: 1_000,
    deadlineMs: 5_000,
    idleMs: 1_000,
  });
});
afterEach(() => void vi.useRealTimers());

async function runEndless(): Promise<void> {
  pool.run('text').catch((error: unknown) => (outcome = String(error)));
  await vi.advanceTimersByTimeAsync(0);
}

it('ends a task that has computed until its deadline', async () => {
  await runEndless();
  processorMs = 4_900;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(outcome).toBe('TaskLimitError: Not done within 5000 ms');
});

it('gives a task more time that a busy machine let compute for less than half of its deadline', async () => {
  await runEndless();
  processorMs = 1_000;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(outcome).toBeUndefined();
  processorMs = 2_600;
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TaskLimitError: Not done within 10000 ms');
});

it('ends a task after six deadlines, however busy the machine is', async () => {
  await runEndless();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(outcome).toBe('TaskLimitError: Not done within 30000 ms');
});

it('says that a task has to be tried again whose worker was killed, and starts another for the next', async () => {
  await runEndless();
  kill!();
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome).toBe('AppError: The process that did this work was ended. Try again.');
  expect(running).toBe(0);
  await runEndless();
  expect(running).toBe(1);
});

it('ends a task at the deadline of its call', async () => {
  pool.run('text', 2_000).catch((error: unknown) => (outcome = String(error)));
  await vi.advanceTimersByTimeAsync(0);
  processorMs = 1_900;
  await vi.advanceTimersByTimeAsync(1_999);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBe('TaskLimitError: Not done within 2000 ms');
});
