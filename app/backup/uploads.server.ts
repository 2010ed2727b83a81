import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

/** An entry of the uploads folder that is not a dot file. */
export interface UploadedEntry {
  /** Below the uploads folder, with `/` between the segments. */
  path: string;
  /** False for links, devices and the like. */
  isFile: boolean;
}

/**
 * All files below the uploads folder except dot files, in no order. Names that begin with a dot are never
 * served; Dateline uses them for its own files.
 */
export async function listUploads(uploadsDir: string): Promise<UploadedEntry[]> {
  const found: UploadedEntry[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(path.join(uploadsDir, folder))) {
      if (entry.name.startsWith('.')) continue;
      const entryPath = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await visit(entryPath);
      else found.push({ path: entryPath, isFile: entry.isFile() });
    }
  };
  await visit('');
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

/** True when a path is the folder or inside it, with symbolic links resolved. The path need not exist. */
export async function isInside(candidate: string, folder: string): Promise<boolean> {
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
