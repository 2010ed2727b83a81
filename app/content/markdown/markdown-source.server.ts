import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isAppError } from '#app/platform/errors.ts';
import { addressesOf } from '../addresses.ts';
import { findLocalFile, isImageName, type LocalFile } from '../local-files.server.ts';
import { endingOf, listFolder } from './list-folder.server.ts';
import { readMarkdownPost, type MarkdownContext } from './markdown-post.ts';
import type { ContentSource, MediaReference, SourceItem } from '../source-post.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The endings of files that are posts. */
const postEnding = /\.(md|markdown|mdx|mdown)$/i;
/** Formats of posts that cannot be read: skipped, so that a blog in one of them does not vanish among what is ignored. */
const unreadableEnding = /\.(textile|org|rst|adoc|asciidoc|rmd|ipynb)$/i;

/**
 * The posts of a folder of Markdown files, in the order of their paths; then the other files that no post names.
 * @throws AppError `invalid_input` when there is no such folder.
 */
export async function openMarkdownFolder(folder: string, context: MarkdownContext): Promise<ContentSource> {
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new AppError('invalid_input', `There is no folder ${folder}.`);
  const listing = await listFolder(root);
  const posts = listing.files.filter((file) => postEnding.test(file));
  const others = listing.files.filter((file) => !postEnding.test(file));
  /** Absolute paths. */
  const named = new Set<string>();
  let done = 0;
  return {
    dialect: 'markdown',
    progress: () => ({ done, total: posts.length }),
    async *items() {
      for (const file of posts) {
        yield await readOrSkip(root, file, context, named);
        done += 1;
      }
      const realRoot = await realpath(root);
      for (const file of others) {
        if (unreadableEnding.test(file))
          yield { key: file, reason: `Files of the format ${endingOf(file)} cannot be read.` };
        else if (!named.has(path.join(realRoot, file)))
          yield {
            key: file,
            ignored: { kind: endingOf(file), reason: 'It is no post, and no post names it.' },
          };
      }
      yield* listing.ignored;
    },
  };
}

async function readOrSkip(root: string, file: string, context: MarkdownContext, named: Set<string>) {
  try {
    const item = await readItem(root, file, context);
    for (const { file } of item.media) named.add(file);
    if (item.post.cover !== null) named.add(item.post.cover);
    return item;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { key: file, reason: error.message };
  }
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
