import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

export const postsPublishScheduled: CommandModule = {
  command: 'posts:publish-scheduled',
  describe: 'Publish every scheduled post whose time has come',
  handler: async () => {
    const { publishDue } = await import('#app/publishing/trigger/publish-due.server.ts');
    const { checkLateness } = await import('#app/operations/alerts.server.ts');
    await withApp(async (app) => {
      await checkLateness(app);
      printResult(await publishDue(app, 'command'));
    });
  },
};
