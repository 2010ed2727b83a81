import type { CommandModule } from 'yargs';
import { printResult } from '../command.ts';

export const doctor: CommandModule = {
  command: 'doctor',
  describe: 'Check everything that the installation depends on, and say what to do',
  handler: async () => {
    const { closeApp, createApp } = await import('#app/compose.server.ts');
    const { diagnose } = await import('#app/operations/doctor.server.ts');
    const { parseEnv } = await import('#app/platform/env.server.ts');
    // Opens the app without the usual check: a database that is down is a finding.
    const app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr', workers: 'inline' });
    try {
      const diagnosis = await diagnose(app, process.env);
      printResult(diagnosis);
      if (!diagnosis.ok) process.exitCode = 1;
    } finally {
      await closeApp(app).catch(() => {});
    }
  },
};
