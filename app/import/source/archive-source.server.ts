import path from 'node:path';
import type { MediaFolder } from '#app/import/media/folder.server.ts';
import type { ContentSource, SourceItem, UnreadableItem } from '#app/import/model/post.ts';
import type { ArchiveFiles } from './archive-files.server.ts';
import { itemOfPost, type ReadPost } from './item.server.ts';
import { endingOf } from './list-folder.server.ts';
import { reasonToSkip } from './reason-to-skip.ts';

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
