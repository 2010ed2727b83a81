import { takeUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { Configured, Db, Logged } from '#app/platform/services.ts';
import { findStagings, finishImports } from './finish-import.server.ts';

/**
 * Cleans up after an import that was killed. The server and every command call it when they start. Without such an
 * import, it only lists the staged files. Leaves a running import alone. Never throws: rows and the files that they
 * name are complete in any case.
 */
export async function recoverImport(app: Db & Configured & Logged & Stored): Promise<void> {
  try {
    if ((await findStagings(app.mediaStore)).size === 0) return;
    const lock = await takeUploadsLock(app, 'exclusive', 0);
    if (!lock) return;
    try {
      await finishImports(app);
      app.log.info('Cleaned up after an import that was stopped');
    } finally {
      await lock.release();
    }
  } catch (error) {
    app.log.warn(
      { reason: messageOf(error) },
      'Could not look for what a stopped import has left in the media store',
    );
  }
}
