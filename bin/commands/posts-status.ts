import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';
import { reportLate, reportLateReleases } from '../report-late.ts';

export const postsStatus: CommandModule = {
  command: 'posts:status',
  describe:
    'Show what is scheduled and overdue; exit 1 when a post or a change is more than 15 minutes late or a release cannot be published',
  handler: async () => {
    const { OVERDUE_AFTER_MS, readPlannedChanges, readPublishingState, shouldAlert } =
      await import('#app/publishing/trigger/status.server.ts');
    const { ALL_RELEASES, blockedOf, lateReleases, listScheduledReleases, shouldAlertReleases } =
      await import('#app/releases/status.server.ts');
    await withApp(async (app) => {
      const now = app.clock.now();
      const [state, planned, releases] = [
        await readPublishingState(app),
        await readPlannedChanges(app),
        await listScheduledReleases(app, undefined, ALL_RELEASES),
      ];
      printResult({ ...state, releases: blockedOf(releases) });
      const isChangeLate = shouldAlert(planned, now);
      if (isChangeLate) reportLate('A scheduled update or archiving', new Date(planned.oldestOverdueAt!));
      reportLateReleases(lateReleases(releases, now, OVERDUE_AFTER_MS));
      if (shouldAlert(state, now) || isChangeLate || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS))
        process.exitCode = 1;
    });
  },
};
