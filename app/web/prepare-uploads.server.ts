import { stat } from 'node:fs/promises';
import { AppError } from '#app/platform/errors.ts';
import { makeFolder } from '#app/platform/files/make-folder.server.ts';

/**
 * Makes the uploads folder, which a new instance does not have yet. Readiness reports one that cannot be made: a disk
 * may come back while the server runs.
 * @throws AppError `not_configured` when a file has its name
 */
export async function prepareUploads(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (stats && !stats.isDirectory())
    throw new AppError(
      'not_configured',
      `UPLOADS_DIR or MEDIA_STORE must name a folder: ${folder} is a file`,
    );
  await makeFolder(folder).catch(() => {});
}
