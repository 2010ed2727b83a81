import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '#app/platform/errors.ts';
import { AppError } from '../errors.ts';

/** Retries: another process may remove the folder while it is empty. */
const ATTEMPTS = 5;

/**
 * Creates a folder and its missing parents. Node's own `recursive` option never ends where the system refuses folders,
 * as below `/proc`.
 * @throws AppError `conflict` when a file has the folder's name or the name of a parent, or the system refuses a folder there
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  for (let attempt = 1; !(await tryMakeFolder(folder, mode)); attempt += 1) {
    if (attempt > ATTEMPTS) throw new AppError('conflict', `The folder ${folder} cannot be made there.`);
    await makeFolder(path.dirname(folder), mode);
  }
}

/** Creates a folder unless it exists. @returns false when its parent is missing */
async function tryMakeFolder(folder: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return false;
    const existing = code === 'EEXIST' ? await stat(folder) : undefined;
    if (existing?.isDirectory()) return true;
    if (existing || code === 'ENOTDIR')
      throw new AppError('conflict', `${folder} is not a folder: a file is in its way.`);
    throw error;
  }
}
