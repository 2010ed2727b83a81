import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { IgnoredItem } from '#app/import/model/post.ts';
import { isAppError, invalidInput } from '#app/platform/errors.ts';
import { decodeText, readText, TEXT_MAX_BYTES, textTooLarge } from './read-text.server.ts';

interface FolderListing {
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
    if (entry.isDirectory() && (entry.name.startsWith('.') || entry.name === 'node_modules')) {
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

/** The files of an export in a folder or in a ZIP file. */
export interface ArchiveFiles {
  /** Paths with `/`, in order. */
  files: string[];
  /** @throws AppError `invalid_input` for a file that is too large or not UTF-8 text */
  text(file: string): Promise<string>;
}

const ZIP_MAX_BYTES = 400 * 1024 * 1024;
const UNZIPPED_MAX_BYTES = 1024 * 1024 * 1024;
const FILES_MAX = 200_000;
/** As in a folder. macOS adds such a file for each one that it packs. */
const isHidden = /(^|\/)(?:\.(?!\/)|__MACOSX\/)/;
const isText = /\.(html?|csv|json|txt)$/i;

/** @throws AppError `invalid_input` unless the input is a folder or a readable ZIP file */
export async function openArchiveFiles(input: string): Promise<ArchiveFiles> {
  const inputStats = await stat(input).catch(() => null);
  if (inputStats?.isDirectory()) return folderFiles(path.resolve(input));
  if (!inputStats?.isFile()) throw invalidInput(`There is no folder or file ${input}.`);
  if (inputStats.size > ZIP_MAX_BYTES)
    throw invalidInput(`${input} is too large: at most 400 MB. Unpack it and name the folder.`);
  return zipFiles(await readFile(input), input);
}

async function folderFiles(root: string): Promise<ArchiveFiles> {
  const { files } = await listFolder(root);
  return { files, text: async (file) => withoutMark(await readText(path.join(root, file))) };
}

function zipFiles(bytes: Buffer, input: string): ArchiveFiles {
  // A name may occur twice; the last file of that name counts.
  const names = new Set<string>();
  let total = 0;
  try {
    const unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith('/') || isHidden.test(name)) return false;
        names.add(name);
        if (names.size > FILES_MAX) throw invalidInput(`${input} holds more than 200,000 files.`);
        const isWanted = isText.test(name) && originalSize <= TEXT_MAX_BYTES;
        total += isWanted ? originalSize : 0;
        if (total > UNZIPPED_MAX_BYTES) throw invalidInput(`${input} holds more than 1 GB of text.`);
        return isWanted;
      },
    });
    return {
      files: [...names].sort(),
      text: async (file) => {
        const content = unpacked[file];
        if (!content) throw textTooLarge();
        return withoutMark(decodeText(content));
      },
    };
  } catch (error) {
    if (isAppError(error)) throw error;
    throw invalidInput(`${input} is neither a folder nor a ZIP file that can be read.`, error);
  }
}

/** Without a byte order mark, which would be the first character of a post. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
