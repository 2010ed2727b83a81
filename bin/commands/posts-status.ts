import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';
import { reportLateReleases } from '../report-late-releases.ts';

export const postsStatus: CommandModule = {
  command: 'posts:status',
  describe:
    'Show what is scheduled and overdue; exit 1 when a post is more than 15 minutes late or a release cannot be published',
  handler: async () => {
    const { OVERDUE_AFTER_MS, shouldAlert, readPublishingState } =
      await import('#app/posts/status.server.ts');
    const { ALL_RELEASES, blockedOf, lateReleases, listScheduledReleases, shouldAlertReleases } =
      await import('#app/releases/status.server.ts');
    await withApp(async (app) => {
      const now = app.clock.now();
      const [state, releases] = [
        await readPublishingState(app),
        await listScheduledReleases(app, undefined, ALL_RELEASES),
      ];
      printResult({ ...state, releases: blockedOf(releases) });
      reportLateReleases(lateReleases(releases, now, OVERDUE_AFTER_MS));
      if (shouldAlert(state, now) || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS))
        process.exitCode = 1;
    });
  },
};
