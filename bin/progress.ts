import { SingleBar } from 'cli-progress';
import { AppError } from '#app/platform/errors.ts';

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
