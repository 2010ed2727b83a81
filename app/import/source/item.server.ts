import path from 'node:path';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import { ItemHash } from '#app/import/model/item-hash.server.ts';
import {
  type SourceItem,
  type ContentSource,
  type UnreadableItem,
  reasonToSkip,
} from '#app/import/model/post.ts';
import { type ArchiveFiles, endingOf } from './files.server.ts';

/** A hash that changes with an item: with its values at the source, and with the files that it names. */
export async function hashOfItem(values: unknown[], files: string[], folder: MediaFolder): Promise<string> {
  const hash = new ItemHash().update(JSON.stringify(values));
  for (const file of files) hash.addFile(await folder.hash(file), { isFetched: folder.isFetched(file) });
  return hash.digest();
}

/** A post that was read. */
export interface ReadPost extends Pick<SourceItem, 'post' | 'warnings'> {
  /** Its text with the links of the source. */
  written: string;
}

/** A post that was read, with the files that its text names. */
export async function itemOfPost(
  key: string,
  { post, warnings, written }: ReadPost,
  folder: MediaFolder,
): Promise<SourceItem> {
  const { media, warnings: missing } = await folder.findAll(post.body);
  const files = media.map(({ file }) => file);
  // The addresses of linked posts here change without the source.
  const hash = await hashOfItem([{ ...post, body: written }], files, folder);
  const formerHash = await hashOfItem([post], files, folder);
  return { key, hash, formerHash, post, media, warnings: [...warnings, ...missing] };
}

/** A post of an export, not yet read. */
export interface ArchivedPost {
  key: string;
  /** The files that the post is read from. */
  files: string[];
  /** @throws AppError `invalid_input` with the reason why it cannot be a post. */
  read(): Promise<ReadPost>;
}

/** A source of the posts in an archive. Its other files are ignored, and counted by their endings. */
export function archiveSource(
  archive: ArchiveFiles,
  posts: ArchivedPost[],
  { media, read }: { media: MediaFolder; read: readonly string[] },
): ContentSource {
  let done = 0;
  return {
    progress: () => ({ done, total: posts.length }),
    async *items() {
      for (const post of posts) {
        yield await itemOf(post, media);
        done += 1;
      }
      const readFiles = new Set([...read, ...posts.flatMap(({ files }) => files)]);
      for (const file of archive.files.filter((candidate) => !readFiles.has(candidate)))
        yield { key: file, ignored: { kind: endingOf(file), reason: 'It is no post.' } };
    },
  };
}

async function itemOf(archived: ArchivedPost, folder: MediaFolder): Promise<SourceItem | UnreadableItem> {
  const { key } = archived;
  try {
    return await itemOfPost(key, await archived.read(), folder);
  } catch (error) {
    return { key, reason: reasonToSkip(error) };
  }
}

/** The name of a file without its folders and its ending. */
export function nameOf(file: string): string {
  return path.posix.basename(file).replace(/\.[^.]+$/, '');
}
