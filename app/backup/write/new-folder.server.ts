import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { takeFileLock } from '#app/platform/database/process-lock.server.ts';
import { AppError, codeOf } from '#app/platform/errors.ts';
import { asFullDisk } from '#app/platform/files/full-disk.ts';
import { makeFolder } from '#app/platform/files/make-folder.server.ts';
import { syncFolder } from '#app/platform/files/regular-file.server.ts';
import { FOLDER_MODE } from './folder-writer.server.ts';

const PREFIX = '.dateline-export-';
const LOCK_SUFFIX = '.lock';

/**
 * Creates a folder that appears complete or not at all: `fill` writes into a temporary folder beside it, which is
 * renamed at the end. Removes what a killed run left beside it.
 * @throws AppError `conflict` when the folder exists and is not empty, `unavailable` on a full disk.
 */
export async function makeFolderAtomically<T>(
  folder: string,
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  await refuseUnlessFree(folder);
  const parent = path.dirname(folder);
  await makeFolder(parent);
  await removeAbandoned(parent);
  const temporary = path.join(parent, `${PREFIX}${randomBytes(6).toString('hex')}`);
  const lockFile = `${temporary}${LOCK_SUFFIX}`;
  // SQLite, which takes the lock, does not say why it cannot make the file.
  await writingIn(parent, () => writeFile(lockFile, '', { mode: 0o600 }));
  const lock = await takeFileLock(lockFile, 'exclusive', 5_000);
  try {
    await mkdir(temporary, { mode: FOLDER_MODE });
    const result = await fill(temporary);
    await syncFolder(temporary);
    await moveInto(temporary, folder);
    await syncFolder(parent);
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw asFullDisk(error, parent);
  } finally {
    await rm(lockFile, { force: true });
    await lock?.release();
  }
}

/**
 * Runs `write`, the first write into a folder that the operator names.
 * @throws AppError `conflict` where this process may not write there, `unavailable` on a full disk
 */
export async function writingIn<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw asFullDisk(error, folder);
    const message = `The folder ${folder} cannot be written (${code}). Give it to the user who runs this command, or name another one.`;
    throw new AppError('conflict', message, { cause: error });
  }
}

async function refuseUnlessFree(folder: string): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    const code = codeOf(error);
    // ENOTDIR: it is a file, or below one.
    if (code === 'ENOTDIR' && existsSync(folder))
      throw new AppError('conflict', `${folder} exists and is not a folder.`);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw error;
  }
  if (entries.length > 0)
    throw new AppError('conflict', `The folder ${folder} is not empty. Name a new or an empty one.`);
}

async function moveInto(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder); // replaces an empty folder only
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EBUSY' || code === 'EXDEV')
      throw new AppError('conflict', `${folder} is a mount point. Name a folder below it.`);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR')
      throw new AppError('conflict', `Something was put at ${folder} meanwhile. Name another folder.`);
    throw error;
  }
}

// A running export holds the lock beside its temporary folder. The system releases the lock when the process ends.
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX) || !name.endsWith(LOCK_SUFFIX)) continue;
    const lockFile = path.join(parent, name);
    const lock = await takeFileLock(lockFile, 'exclusive', 0);
    if (!lock) continue;
    await rm(lockFile.slice(0, -LOCK_SUFFIX.length), { recursive: true, force: true });
    await rm(lockFile, { force: true });
    await lock.release();
  }
}
