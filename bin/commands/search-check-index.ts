import type { CommandModule } from 'yargs';
import { flagOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

export const searchCheckIndex: CommandModule<object, { repair: boolean }> = {
  command: 'search:check-index',
  describe: 'Compare the search index with the database; exit 1 while they differ and --repair is not given',
  builder: (yargs) => yargs.option('repair', flagOption('Correct the differences')),
  handler: async ({ repair }) => {
    const { checkIndex } = await import('#app/search/reindex.server.ts');
    const check = await withApp((app) => checkIndex(app, { repair }));
    printResult(check);
    const differs = check.missing + check.stale + check.orphaned > 0;
    if (differs && !check.repaired) process.exitCode = 1;
  },
};
