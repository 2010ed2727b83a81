import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

export const contentCheckLinks: CommandModule = {
  command: 'content:check-links',
  describe:
    'List the links and pictures of published posts that lead nowhere on this site; exit 1 when there are any',
  handler: async () => {
    const { withProgress } = await import('../progress.ts');
    const { checkLinks } = await import('#app/import/checks/links.server.ts');
    const result = await withApp((app) => withProgress((onProgress) => checkLinks(app, onProgress)));
    printResult(result);
    if (result.dead.length > 0) process.exitCode = 1;
  },
};
