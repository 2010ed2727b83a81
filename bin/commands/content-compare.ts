import type { CommandModule } from 'yargs';
import { pathOption } from '../arguments.ts';
import { printResult, withApp } from '../command.ts';

interface Arguments {
  sitemap: string;
}

export const contentCompare: CommandModule<object, Arguments> = {
  command: 'content:compare',
  describe: 'Say what readers get here for the addresses of an old site; exit 1 when any leads nowhere',
  builder: (yargs) =>
    yargs.options(pathOption('sitemap', 'file', 'Sitemap of the old site, or a list of its addresses')),
  handler: async ({ sitemap }) => {
    const { compareSitemap } = await import('#app/import/checks/sitemap.server.ts');
    const result = await withApp((app) => compareSitemap(app, sitemap));
    printResult(result);
    if (result.gone.length > 0) process.exitCode = 1;
  },
};
