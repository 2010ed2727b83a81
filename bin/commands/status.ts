import type { CommandModule } from 'yargs';
import { flagOption } from '../arguments.ts';
import { jsonOption, printReport, withApp } from '../command.ts';
import { reportLate, reportLateReleases } from '../report-late.ts';

interface Arguments {
  json: boolean;
}

interface PostsArguments extends Arguments {
  alert: boolean;
}

export const postsStatus: CommandModule<object, PostsArguments> = {
  command: 'posts:status',
  describe:
    'Show what is scheduled and overdue; exit 1 when a post or a change is more than 15 minutes late or a release cannot be published',
  builder: (yargs) =>
    yargs
      .options(jsonOption)
      .option('alert', flagOption('Send the alerts that the settings name, where no server runs')),
  handler: async ({ json, alert }) => {
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
      printReport({ ...state, releases: blockedOf(releases) }, { json });
      const isChangeLate = shouldAlert(planned, now);
      if (isChangeLate) reportLate('A scheduled update or archiving', new Date(planned.oldestOverdueAt!));
      reportLateReleases(lateReleases(releases, now, OVERDUE_AFTER_MS));
      if (shouldAlert(state, now) || isChangeLate || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS))
        process.exitCode = 1;
      if (alert) {
        const { checkAlerts } = await import('#app/operations/alerts.server.ts');
        await checkAlerts(app);
        await app.effects.ended();
      }
    });
  },
};

export const releasesStatus: CommandModule<object, Arguments> = {
  command: 'releases:status',
  describe:
    'Show which releases are due and which cannot be published; exit 1 when one is blocked or overdue',
  builder: (yargs) => yargs.options(jsonOption),
  handler: async ({ json }) => {
    const { OVERDUE_AFTER_MS } = await import('#app/publishing/trigger/status.server.ts');
    const { ALL_RELEASES, blockedOf, lateReleases, listScheduledReleases, shouldAlertReleases } =
      await import('#app/releases/status.server.ts');
    await withApp(async (app) => {
      const now = app.clock.now();
      const releases = await listScheduledReleases(app, undefined, ALL_RELEASES);
      const blocked = blockedOf(releases);
      const due = releases.filter(({ publishAt }) => publishAt <= now).length;
      const reasons = blocked.map(({ id, name, problem }) => ({ id, name, problem }));
      printReport({ due, scheduled: releases.length, blocked: reasons }, { json });
      reportLateReleases(lateReleases(releases, now, OVERDUE_AFTER_MS));
      if (blocked.length > 0 || shouldAlertReleases(releases, now, OVERDUE_AFTER_MS)) process.exitCode = 1;
    });
  },
};
