import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { MediaStore } from '#app/media/store/media-store.ts';

/** True when a path is the folder of the media store or inside it, where readers could get it. */
export async function isInMediaFolder(store: MediaStore, candidate: string): Promise<boolean> {
  return store.folder !== null && isInside(candidate, store.folder);
}

/** True when a path is the folder or inside it, with symbolic links resolved. The path need not exist. */
async function isInside(candidate: string, folder: string): Promise<boolean> {
  const relative = path.relative(await realPathOf(folder), await realPathOf(candidate));
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}

async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realPathOf(parent), path.basename(file));
  }
}
