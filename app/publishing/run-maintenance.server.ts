import type { App } from '#app/app.ts';
import { trimAudit } from '#app/auth/audit.server.ts';
import { sweepLoginThrottle } from '#app/auth/login-throttle.server.ts';
import { sweepRemovedMedia } from '#app/media/sweep.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { sumUpCounts } from './rebuild-counts.server.ts';

/** What every trigger clears away beside its work: files whose hour is over, old audit entries, old login counters; and it sums up counts. Never throws. */
export async function runMaintenance(app: Pick<App, 'db' | 'clock' | 'env' | 'log'>): Promise<void> {
  for (const task of [sweepRemovedMedia, trimAudit, sweepLoginThrottle, sumUpCounts]) {
    try {
      await task(app);
    } catch (error) {
      app.log.warn({ reason: messageOf(error) }, 'Clearing up failed; the next trigger tries again');
    }
  }
}
