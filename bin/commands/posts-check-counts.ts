import type { CommandModule } from 'yargs';
import { flagOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

export const postsCheckCounts: CommandModule<object, { repair: boolean }> = {
  command: 'posts:check-counts',
  describe:
    'Compare the stored counts, lists and uses of files with the posts; exit 1 while they differ and --repair is not given',
  builder: (yargs) => yargs.option('repair', flagOption('Recount all posts')),
  handler: async ({ repair }) => {
    const { checkCounts } = await import('#app/publishing/change/rebuild-counts.server.ts');
    const check = await withApp((app) => checkCounts(app, { repair }));
    printResult(check);
    if (check.different + check.misplaced > 0 && !check.repaired) process.exitCode = 1;
  },
};
