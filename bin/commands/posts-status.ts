import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';

export const postsStatus: CommandModule = {
  command: 'posts:status',
  describe: 'Show what is scheduled and overdue; exit 1 when a post is more than 15 minutes late',
  handler: async () => {
    const { shouldAlert, readPublishingState } = await import('#app/posts/status.server.ts');
    await withApp(async (app) => {
      const state = await readPublishingState(app);
      printResult(state);
      if (shouldAlert(state, app.clock.now())) process.exitCode = 1;
    });
  },
};
