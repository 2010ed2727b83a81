import { trimAudit } from '#app/auth/audit.server.ts';
import { sweepLoginThrottle } from '#app/auth/login-throttle.server.ts';
import { sweepRemovedMedia } from '#app/media/sweep.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { PublishingContext } from './public-change.server.ts';
import { purgeExpiredTrash } from './purge-trash.server.ts';
import { sumUpCounts } from './rebuild-counts.server.ts';
import { forgetTextChanges } from './text-changes.server.ts';
import { forgetUndoSteps } from './undo.server.ts';

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
