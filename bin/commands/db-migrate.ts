import type { CommandModule } from 'yargs';
import { printResult } from '../command.ts';

export const dbMigrate: CommandModule = {
  command: 'db:migrate',
  describe: 'Apply the database migrations that are missing',
  handler: async () => {
    const { parseEnv } = await import('#app/platform/env.server.ts');
    const { migrate } = await import('#app/platform/migrations.server.ts');
    printResult(await migrate(parseEnv(process.env, 'command').database));
  },
};
