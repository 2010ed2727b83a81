import type { App } from '#app/app.ts';
import { takeUploadsLock } from '#app/media/uploads-lock.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { findStagings, finishImports } from './finish-import.server.ts';

/**
 * Clears up after an import that was killed; every command and the server call it when they start. Costs
 * one look into the uploads folder when there is nothing to do. Leaves a running import alone, and
 * does not fail: rows and the files that they name are whole with or without it.
 */
export async function recoverImport(app: Pick<App, 'env' | 'db' | 'log'>): Promise<void> {
  try {
    if ((await findStagings(app.env.uploadsDir)).length === 0) return;
    const lock = await takeUploadsLock(app, 'exclusive', 0);
    if (!lock) return;
    try {
      await finishImports(app);
      app.log.info('Cleared up after an import that was stopped');
    } finally {
      await lock.release();
    }
  } catch (error) {
    app.log.warn({ reason: messageOf(error) }, 'Could not clear up after an import that was stopped');
  }
}
