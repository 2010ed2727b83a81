import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

export const dbSeed: CommandModule = {
  command: 'db:seed',
  describe: 'Write default settings; existing values are kept',
  handler: async () => {
    const { seedSettings } = await import('#app/settings/seed.server.ts');
    printResult(await withApp(seedSettings));
  },
};
