import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { IgnoredItem } from '#app/import/model/post.ts';

export interface FolderListing {
  /** Regular files below the folder in the order of their paths, with `/`. */
  files: string[];
  /** Files that are left out whatever they contain: in hidden folders, installed packages, symbolic links. */
  ignored: IgnoredItem[];
}

/**
 * All files below a folder. Symbolic links are not followed: they may point out of the folder or in circles.
 * @param root absolute
 */
export async function listFolder(root: string): Promise<FolderListing> {
  const listing: FolderListing = { files: [], ignored: [] };
  await addFolder(root, '', listing);
  listing.files.sort();
  return listing;
}

/** The kind under which a file is counted: its ending in lower case, or its name without an ending. */
export function endingOf(file: string): string {
  return path.posix.extname(file).toLowerCase() || path.posix.basename(file);
}

async function addFolder(root: string, below: string, listing: FolderListing): Promise<void> {
  for (const entry of await readdir(path.join(root, below), { withFileTypes: true })) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && isLeftOut(entry.name)) {
      const { files, ignored } = await listFolder(path.join(root, file));
      const count = ignored.reduce((sum, item) => sum + (item.ignored.count ?? 1), files.length);
      const reason = 'The folder is hidden or holds installed packages.';
      if (count > 0)
        listing.ignored.push({ key: `${file}/`, ignored: { kind: `${entry.name}/`, count, reason } });
    } else if (entry.isDirectory()) await addFolder(root, file, listing);
    else if (entry.isFile() && !entry.name.startsWith('.')) listing.files.push(file);
    else {
      listing.ignored.push({ key: file, ignored: leftOut(entry) });
    }
  }
}

function leftOut(entry: Dirent): IgnoredItem['ignored'] {
  if (entry.isFile()) return { kind: endingOf(entry.name), reason: 'The file is hidden.' };
  return entry.isSymbolicLink()
    ? { kind: 'symbolic link', reason: 'It is a symbolic link: copy what it leads to, as cp -rL does.' }
    : { kind: 'special file', reason: 'It is neither a file nor a folder.' };
}

function isLeftOut(folder: string): boolean {
  return folder.startsWith('.') || folder === 'node_modules';
}
