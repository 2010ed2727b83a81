import type { CommandModule } from 'yargs';
import { countOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  'batch-size': number | undefined;
  'slug-prefix': string | undefined;
}

export const searchReindexPosts: CommandModule<object, Arguments> = {
  command: 'search:reindex-posts',
  describe: 'Rebuild the search index from the database; the old one answers until the new one is complete',
  builder: (yargs) =>
    yargs
      .option('batch-size', countOption('Posts for each call to the engine, 1 to 1000 (default 200)'))
      .option('slug-prefix', {
        type: 'string',
        requiresArg: true,
        describe: 'Only update posts whose slug begins with it',
      })
      .check(({ 'batch-size': size }) => {
        if (size !== undefined && (size < 1 || size > 1000))
          throw new Error('--batch-size must be a whole number from 1 to 1000.');
        return true;
      }),
  handler: async ({ 'batch-size': batchSize = 200, 'slug-prefix': slugPrefix }) => {
    const { withProgress } = await import('../progress.ts');
    const { reindexPosts } = await import('#app/search/reindex.server.ts');
    printResult(
      await withApp((app) =>
        withProgress((report) =>
          reindexPosts(app, {
            batchSize,
            slugPrefix,
            onProgress: (done, total) => report({ step: 'Indexing', done, total }),
          }),
        ),
      ),
    );
  },
};
