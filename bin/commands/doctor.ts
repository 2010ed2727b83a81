import type { CommandModule } from 'yargs';
import type { App } from '#app/app.ts';
import { printResult } from '../command.ts';

export const doctor: CommandModule = {
  command: 'doctor',
  describe: 'Check everything that the installation depends on, and say what to do',
  handler: async () => {
    const { closeApp, createApp } = await import('#app/compose.server.ts');
    const { diagnose, diagnoseEnvironment } = await import('#app/operations/doctor.server.ts');
    const { parseEnv } = await import('#app/platform/env.server.ts');
    const { isAppError } = await import('#app/platform/errors.ts');
    let app: App;
    try {
      // Opens the app without the usual check: a database that is down is a finding.
      app = await createApp(parseEnv(process.env, 'command'), { logTo: 'stderr', workers: 'inline' });
    } catch (error) {
      if (!isAppError(error) || error.code !== 'not_configured') throw error;
      printResult(await diagnoseEnvironment(error));
      // As of every command.
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
      return;
    }
    try {
      const diagnosis = await diagnose(app, process.env);
      printResult(diagnosis);
      if (!diagnosis.ok) process.exitCode = 1;
    } finally {
      await closeApp(app).catch(() => {});
    }
  },
};
