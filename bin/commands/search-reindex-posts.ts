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
      .options(
        countOption('batch-size', 'Posts for each call to the engine, 1 to 1000 (default 200)', {
          from: 1,
          to: 1000,
        }),
      )
      .option('slug-prefix', {
        type: 'string',
        requiresArg: true,
        describe: 'Only update posts whose slug begins with it',
        // Refuses an empty prefix, such as of an unset shell variable: it would rebuild the whole index.
        coerce: (prefix: string): string => {
          if (prefix !== '') return prefix;
          throw new Error(
            '--slug-prefix takes the beginning of a slug. Leave it out to rebuild the whole index.',
          );
        },
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
