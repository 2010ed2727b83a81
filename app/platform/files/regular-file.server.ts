import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Opens a regular file for reading; does not block on a FIFO.
 * @throws the system's error, with `code` ELOOP for a link and EINVAL for what is not a regular file
 */
export async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' });
}

/** Flushes the names in a folder to the disk, so that they survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
