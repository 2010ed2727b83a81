import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

/** Creates an administrator and sample posts if the site has none. Hidden: only `npm run quickstart` uses it. */
export const quickstartSeed: CommandModule = {
  command: 'quickstart:seed',
  describe: false,
  handler: async () => {
    const { seedQuickstart } = await import('../quickstart-seed.ts');
    printResult(await withApp(seedQuickstart));
  },
};
