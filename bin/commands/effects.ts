import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

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

export const effectsStatus: CommandModule = {
  command: 'effects:status',
  describe:
    'Show the effects that wait, are dead or held; exit 1 when one is dead or more than 15 minutes late',
  handler: async () => {
    const { readEffectsStatus, shouldAlertEffects } = await import('#app/effects/status.server.ts');
    await withApp(async (app) => {
      printResult(await readEffectsStatus(app));
      if (await shouldAlertEffects(app)) process.exitCode = 1;
    });
  },
};
