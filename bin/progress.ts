import { SingleBar } from 'cli-progress';
import { AppError } from '#app/platform/errors.ts';

/** Progress of a step of a long job. */
interface Progress {
  step: string;
  done: number;
  total: number;
}

/**
 * Runs a long job with a progress bar on stderr where that is a terminal. SIGINT and SIGTERM end the job at its
 * next report, so that it can clean up.
 */
export async function withProgress<T>(
  work: (report: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
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
    format: '{step} {bar} {value}/{total}',
    clearOnComplete: true,
    hideCursor: true,
  });
  let current: string | undefined;
  return {
    show({ step, done, total }: Progress): void {
      if (step !== current) bar.start(total, done, { step });
      current = step;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
