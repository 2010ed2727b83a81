import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from './errors.ts';

/** Another process may remove a new folder while it is empty. */
const ATTEMPTS = 5;

/**
 * Creates a folder and its missing parents. Node's own `recursive` never ends where the system refuses folders, as
 * below `/proc`.
 * @throws AppError `conflict` when something else has its name, or the system refuses a folder there
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  for (let attempt = 1; await lacksParent(folder, mode); attempt += 1) {
    if (attempt > ATTEMPTS) throw new AppError('conflict', `The folder ${folder} cannot be made there.`);
    await makeFolder(path.dirname(folder), mode);
  }
}

/** Creates a folder, unless its parent is missing. */
async function lacksParent(folder: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return false;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return true;
    const found = code === 'EEXIST' ? await stat(folder) : undefined;
    if (found?.isDirectory()) return false;
    if (found || code === 'ENOTDIR')
      throw new AppError('conflict', `${folder} is not a folder: a file is in its way.`);
    throw error;
  }
}
