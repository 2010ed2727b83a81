import { sweepRemovedMedia } from '#app/media/library/sweep.server.ts';
import { trimAudit } from '#app/people/audit/audit.server.ts';
import { sweepLoginThrottle } from '#app/people/passwords/throttle.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { PublishingContext } from '#app/publishing/change/public-change.server.ts';
import { sumUpCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { forgetTextChanges } from '#app/publishing/change/text-changes.server.ts';
import { purgeExpiredTrash } from '#app/publishing/trash/purge.server.ts';
import { forgetUndoSteps } from '#app/publishing/trash/undo.server.ts';

/**
 * The clean-up of every trigger: entries of the trash after 30 days, files an hour after their removal, old audit
 * entries and login counters, and records of past instants that are no longer needed. It also sums up counts. Never
 * throws.
 */
export async function runMaintenance(app: PublishingContext): Promise<void> {
  for (const task of [
    purgeExpiredTrash,
    sweepRemovedMedia,
    trimAudit,
    sweepLoginThrottle,
    forgetUndoSteps,
    forgetTextChanges,
    sumUpCounts,
  ]) {
    try {
      await task(app);
    } catch (error) {
      app.log.warn({ reason: messageOf(error) }, 'Maintenance failed; the next trigger tries again');
    }
  }
}
