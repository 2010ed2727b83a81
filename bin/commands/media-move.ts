import type { CommandModule } from 'yargs';
import { storeOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  to: string;
}

export const mediaMove: CommandModule<object, Arguments> = {
  command: 'media:move',
  describe: 'Copy all media files into another store and read each one back; the source is kept',
  builder: (yargs) =>
    yargs.options(storeOption('to', 'Store: file:<folder> or s3://bucket/folder?endpoint=…&region=…')),
  handler: async ({ to }) => {
    const { withProgress } = await import('../progress.ts');
    const { moveMedia } = await import('#app/media/library/move.server.ts');
    const { createMediaStore } = await import('#app/media/store/create.server.ts');
    const { mediaTarget } = await import('#app/platform/media-target.server.ts');
    const result = await withApp(async (app) => {
      const target = createMediaStore(mediaTarget(to, app.env.s3, '--to'));
      try {
        return await withProgress((onProgress) =>
          moveMedia(app, {
            target,
            onProgress,
            onWarning: (warning) => void process.stderr.write(`${warning}\n`),
          }),
        );
      } finally {
        target.close();
      }
    });
    printResult(result);
  },
};
