import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { addressesOf } from './addresses.ts';
import { findLocalFile, isImageName, type LocalFile } from './local-files.server.ts';
import { readMarkdownPost, type MarkdownContext } from './markdown-post.ts';
import type { ContentSource, MediaReference, SourceItem } from './source-post.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * The `.md` files below a folder, in the order of their paths; names that begin with a dot are left out.
 * @throws AppError `invalid_input` when there is no such folder.
 */
export async function openMarkdownFolder(folder: string, context: MarkdownContext): Promise<ContentSource> {
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new AppError('invalid_input', `There is no folder ${folder}.`);
  const files = await markdownFilesBelow(root);
  let done = 0;
  return {
    progress: () => ({ done, total: files.length }),
    async *items() {
      for (const file of files) {
        try {
          yield await readItem(root, file, context);
        } catch (error) {
          if (!isAppError(error)) throw error;
          yield { key: file, reason: error.message };
        }
        done += 1;
      }
    },
  };
}

async function markdownFilesBelow(root: string, below = ''): Promise<string[]> {
  const entries = await readdir(path.join(root, below), { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')) {
    const relative = below === '' ? entry.name : `${below}/${entry.name}`;
    // Links are not followed: they may lead out of the folder, or round in circles.
    if (entry.isDirectory()) found.push(...(await markdownFilesBelow(root, relative)));
    else if (entry.isFile() && /\.md$/i.test(entry.name)) found.push(relative);
  }
  return found.sort();
}

async function readItem(root: string, file: string, context: MarkdownContext): Promise<SourceItem> {
  const bytes = await readFileUpTo(path.join(root, file));
  const { post, warnings } = readMarkdownPost({ path: file, text: decode(bytes) }, context);
  const hash = createHash('sha256').update(bytes);
  const media: MediaReference[] = [];
  const take = async (address: string): Promise<string | null> => {
    const found = await findLocalFile(root, path.posix.dirname(file), address);
    if (found === null) return null;
    const problem = problemOf(found);
    if (problem === null) {
      hash.update(await readFile(found.file!));
      return found.file;
    }
    // A link to a page that is not a file here is no concern of an import; an image that is missing is.
    if (found.file !== null || isImageName(address)) warnings.push(`${address}: ${problem}`);
    return null;
  };
  for (const address of addressesOf(post.body)) {
    const local = await take(address);
    if (local !== null) media.push({ address, file: local });
  }
  const cover = post.cover;
  post.cover = cover === null ? null : await take(cover);
  if (cover !== null && post.cover === null && !warnings.some((warning) => warning.startsWith(`${cover}: `)))
    warnings.push(`The cover ${cover} is not a file of the folder and was left out.`);
  return { key: file, hash: hash.digest('hex'), post, media, warnings };
}

function problemOf(found: LocalFile): string | null {
  if (found.file === null) return found.problem;
  return isImageName(found.file) ? null : 'only images come along; the link stays as it is.';
}

async function readFileUpTo(file: string): Promise<Buffer> {
  if ((await stat(file)).size > MAX_FILE_BYTES)
    throw new AppError('invalid_input', 'The file is too large: at most 16 MB.');
  try {
    return await readFile(file);
  } catch (error) {
    throw new AppError('invalid_input', 'The file cannot be opened.', { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_input', 'The file is not UTF-8 text.');
  }
}
