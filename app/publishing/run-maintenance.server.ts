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
 * What every trigger clears away beside its work: what was in the trash for 30 days, files whose hour is over, old audit
 * entries, old login counters, what is no longer needed for past instants; and it sums up counts. Never throws.
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
