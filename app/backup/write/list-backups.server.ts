import { stat } from 'node:fs/promises';
import { createMediaStore } from '#app/media/store/create.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { MediaTarget } from '#app/platform/media-target.server.ts';
import { BackupPlace, type ListedBackup } from './place.server.ts';

/**
 * The backups in a folder or bucket, newest first.
 * @throws AppError `invalid_input` for a folder that does not exist
 */
export async function listBackups(target: MediaTarget): Promise<ListedBackup[]> {
  if (target.kind === 'file') {
    const stats = await stat(target.folder).catch(() => null);
    if (!stats?.isDirectory()) throw new AppError('invalid_input', `There is no folder ${target.folder}.`);
  }
  const store = createMediaStore(target, { isPrivate: true });
  try {
    return await new BackupPlace(store).describe();
  } finally {
    store.close();
  }
}
