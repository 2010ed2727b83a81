import type { CommandModule } from 'yargs';
import { printResult, withApp } from '../command.ts';
import { reportLateReleases } from '../report-late.ts';

export const releasesStatus: CommandModule = {
  command: 'releases:status',
  describe:
    'Show which releases are due and which cannot be published; exit 1 when one is blocked or overdue',
  handler: async () => {
    const { OVERDUE_AFTER_MS } = await import('#app/publishing/trigger/status.server.ts');
    const { ALL_RELEASES, blockedOf, lateReleases, listScheduledReleases, shouldAlertReleases } =
      await import('#app/releases/status.server.ts');
    await withApp(async (app) => {
      const now = app.clock.now();
      const releases = await listScheduledReleases(app, undefined, ALL_RELEASES);
      const blocked = blockedOf(releases);
      printResult({
        due: releases.filter(({ publishAt }) => publishAt <= now).length,
        scheduled: releases.length,
        blocked: blocked.map(({ id, name, problem }) => ({ id, name, problem })),
      });
      reportLateReleases(lateReleases(releases, now, OVERDUE_AFTER_MS));
      if (blocked.length > 0 || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS)) process.exitCode = 1;
    });
  },
};
