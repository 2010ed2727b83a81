import { SingleBar } from 'cli-progress';
import { AppError } from '#app/platform/errors.ts';

const LOG_EVERY_MS = 30_000;

/** Progress of a step of a long job. */
interface Progress {
  step: string;
  done: number;
  total: number;
  /** Finished items, if `done` counts something else, such as bytes. */
  items?: number;
}

type Work<T> = (report: (progress: Progress) => void) => Promise<T>;

/**
 * Runs a long job, with a progress bar on stderr if that is a terminal. SIGINT and SIGTERM end the job at its next
 * report, so that it can clean up.
 */
export async function withProgress<T>(work: Work<T>): Promise<T> {
  const bar = process.stderr.isTTY ? createBar() : undefined;
  let stopped = false;
  const stop = () => void (stopped = true);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    return await work((progress) => {
      if (stopped) throw new AppError('unavailable', 'Stopped.');
      bar?.show(progress);
    });
  } finally {
    bar?.stop();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/**
 * Runs a long job that needs no cleaning up, so that a signal may end it at any moment. If stderr is not a terminal, it
 * prints a line at the start of each step and every half minute, since other programs may wait for the job.
 */
export async function withProgressLog<T>(work: Work<T>): Promise<T> {
  const shown = process.stderr.isTTY ? createBar() : createLog();
  try {
    return await work((progress) => shown.show(progress));
  } finally {
    shown.stop();
  }
}

function createLog() {
  let current: string | undefined;
  let loggedAt = 0;
  return {
    show({ step, done, total }: Progress): void {
      const now = performance.now();
      if (step === current && now - loggedAt < LOG_EVERY_MS) return;
      current = step;
      loggedAt = now;
      process.stderr.write(`${step}: ${done} of ${total}\n`);
    },
    stop() {},
  };
}

function createBar() {
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{step} {bar} {percentage}% {rate}',
    clearOnComplete: true,
    hideCursor: true,
  });
  let current: string | undefined;
  let startedAt = 0;
  return {
    show({ step, done, total, items = done }: Progress): void {
      if (step !== current) {
        bar.start(total, done, { step, rate: '' });
        startedAt = performance.now();
      }
      current = step;
      const seconds = (performance.now() - startedAt) / 1_000;
      bar.update(done, { rate: seconds < 1 ? '' : `${(items / seconds).toFixed(1)}/s` });
    },
    stop: () => bar.stop(),
  };
}
