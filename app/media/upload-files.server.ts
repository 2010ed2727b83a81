import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Files that are being written are named like this and are never served. */
export const STAGED_PREFIX = '.upload-';

/** A whole file beside its place, under a name that is never served. */
export interface StagedFile {
  temporary: string;
  final: string;
}

/** Writes a file completely to disk beside its place. `relativePath`: below the uploads folder. */
export async function stageFile(
  uploadsDir: string,
  relativePath: string,
  bytes: Uint8Array,
): Promise<StagedFile> {
  const final = path.join(uploadsDir, relativePath);
  const folder = path.dirname(final);
  const temporary = path.join(folder, `${STAGED_PREFIX}${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { temporary, final };
}

/** Moves staged files to their places, each at once. May run again: what has moved already stays. */
export async function placeStaged(files: StagedFile[]): Promise<void> {
  for (const { temporary, final } of files) {
    await rename(temporary, final).catch(async (error: NodeJS.ErrnoException) => {
      // A second try of the same transaction finds the file moved.
      if (error.code !== 'ENOENT') throw error;
      await (await open(final, 'r')).close();
    });
  }
  for (const folder of new Set(files.map(({ final }) => path.dirname(final)))) await syncFolder(folder);
}

/** Removes what was staged and did not move. */
export async function discardStaged(files: StagedFile[]): Promise<void> {
  for (const { temporary } of files) await rm(temporary, { force: true });
}

// The names themselves must reach the disk before a row points to them.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
