import type { CommandModule } from 'yargs';
import type { App } from '#app/app.ts';
import type { Diagnosis } from '#app/operations/doctor.server.ts';
import { jsonOption, printReport } from '../command.ts';

interface Arguments {
  json: boolean;
}

export const doctor: CommandModule<object, Arguments> = {
  command: 'doctor',
  describe: 'Check everything that the installation depends on, and say what to do',
  builder: (yargs) => yargs.options(jsonOption),
  handler: async ({ json }) => {
    const print = (diagnosis: Diagnosis) => printReport(diagnosis, { json, rows: rowsOf(diagnosis) });
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
      print(await diagnoseEnvironment(error, process.env));
      // As of every command.
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
      return;
    }
    try {
      const diagnosis = await diagnose(app, process.env);
      print(diagnosis);
      if (!diagnosis.ok) process.exitCode = 1;
    } finally {
      await closeApp(app).catch(() => {});
    }
  },
};

function rowsOf({ version, ok, checks }: Diagnosis): string[][] {
  const summary = ok ? 'No problem found.' : 'There are problems.';
  return [
    ...checks.map(({ name, status, message }) => [name, status, message]),
    ['dateline', version, summary],
  ];
}
