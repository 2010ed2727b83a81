import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

/** For `npm run quickstart` alone, hence hidden: an administrator and sample posts where there are none. */
export const quickstartSeed: CommandModule = {
  command: 'quickstart:seed',
  describe: false,
  handler: async () => {
    const { seedQuickstart } = await import('../quickstart-seed.ts');
    printResult(await withApp(seedQuickstart));
  },
};
