import type { CommandModule } from 'yargs';
import { printResult } from '../command.ts';

export const dbMigrate: CommandModule = {
  command: 'db:migrate',
  describe: 'Apply missing database migrations',
  handler: async () => {
    const { parseEnv } = await import('#app/platform/env.server.ts');
    const { migrate } = await import('#app/platform/database/migrations.server.ts');
    const { database } = parseEnv(process.env, 'command');
    printResult(await migrate(database));
  },
};
