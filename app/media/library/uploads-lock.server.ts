import {
  takeDatabaseLock,
  type LockMode,
  type ProcessLock,
} from '#app/platform/database/process-lock.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Configured } from '#app/platform/services.ts';

const WAIT_MS = 5_000;

/**
 * Runs `work` while no other process may replace the uploads folder. An import holds the lock
 * exclusively while it replaces files and rows. Hold it `shared` from before a file is written or read
 * until the rows that name it are committed; hold it `exclusive` to remove files.
 * @throws AppError `unavailable` when others still hold it after 5 seconds
 */
export async function withUploadsLock<T>(
  app: Configured,
  mode: LockMode,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await takeUploadsLock(app, mode, WAIT_MS);
  if (!lock)
    throw new AppError(
      'unavailable',
      mode === 'shared'
        ? 'An import is running. Try again when it has finished.'
        : 'An import, an export or an upload is running. Try again when it has finished.',
      { retryAfter: 30 },
    );
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * The lock alone, for work that can also be done later.
 * @returns undefined when others still hold it after `waitMs`
 */
export function takeUploadsLock(
  app: Configured,
  mode: LockMode,
  waitMs: number,
): Promise<ProcessLock | undefined> {
  return takeDatabaseLock(app.env.database, 'uploads', mode, waitMs);
}
