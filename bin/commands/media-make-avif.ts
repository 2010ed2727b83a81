import { constants, setPriority } from 'node:os';
import type { CommandModule } from 'yargs';
import { countOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  seconds?: number;
}

/** Shorter than an hour, so that a run each hour never overlaps the run before. */
const SECONDS = 3_000;

export const mediaMakeAvif: CommandModule<object, Arguments> = {
  command: 'media:make-avif',
  describe: 'Make AVIF copies of JPEG pictures that have none; a run that was stopped resumes',
  builder: (yargs) => yargs.options(countOption('seconds', `Begin no picture after this time (${SECONDS})`)),
  handler: async ({ seconds = SECONDS }) => {
    // A server on this machine takes precedence. Threads that the command starts inherit the low priority.
    setPriority(constants.priority.PRIORITY_LOW);
    const { withProgress } = await import('../progress.ts');
    const { makeAvifCopies } = await import('#app/publishing/media/make-avif-copies.server.ts');
    const result = await withApp((app) =>
      withProgress((report) =>
        makeAvifCopies(app, {
          seconds,
          onProgress: (progress) => report({ step: 'Making AVIF copies', ...progress }),
        }),
      ),
    );
    printResult(result);
    if (result.failed > 0) process.exitCode = 1;
  },
};
