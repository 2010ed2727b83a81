import type { CommandModule } from 'yargs';
import { jsonOption, printReport, printResult, withApp } from '../command.ts';

export const effectsRelease: CommandModule = {
  command: 'effects:release',
  describe: 'Let a restored or copied instance send webhooks and the like again, with what is held',
  handler: async () => {
    const { releaseEffects } = await import('#app/effects/manage.server.ts');
    await withApp(async (app) => printResult({ released: await releaseEffects(app) }));
  },
};

export const effectsRun: CommandModule = {
  command: 'effects:run',
  describe: 'Carry out what has still to happen outside: webhooks and the like',
  handler: async () => {
    const { runEffects } = await import('#app/effects/run.server.ts');
    printResult(await withApp((app) => runEffects(app)));
  },
};

export const effectsStatus: CommandModule<object, { json: boolean }> = {
  command: 'effects:status',
  describe:
    'Show the effects that wait, are dead or held; exit 1 when one is dead or more than 15 minutes late',
  builder: (yargs) => yargs.options(jsonOption),
  handler: async ({ json }) => {
    const { readEffectsStatus, shouldAlertEffects } = await import('#app/effects/status.server.ts');
    await withApp(async (app) => {
      printReport(await readEffectsStatus(app), { json });
      if (await shouldAlertEffects(app)) process.exitCode = 1;
    });
  },
};
