import { postEndings } from '#app/import/markdown/dialects/post-endings.ts';
import { ignoredOf, type ImportResult } from './report.ts';
import type { ImportSource } from './sources.ts';

/** The message for an input without posts: what it contains instead, and what to do. */
export function noPostsMessage(
  result: Pick<ImportResult, 'ignored' | 'dialect'>,
  { from, input }: { from: ImportSource; input: string },
): string {
  const { count, kinds } = ignoredOf(result);
  const noPosts = `No post was found in ${input}`;
  if (count === 0 && from === 'markdown') return `${noPosts}: it holds no files. ${folderToName}`;
  if (count === 0) return `${noPosts}: the export holds no items. Export again, with all posts.`;
  const ignored = `what is there was ignored (${kinds})`;
  if (from !== 'markdown') return `${noPosts}: ${ignored}. Export again, with all posts.`;
  const { dialect } = result;
  const readsAll = dialect === 'markdown' ? '' : ' --dialect markdown takes each of them as a post.';
  return `${noPosts}, read as ${dialect}: ${ignored}. Posts are files that end in ${postEndings.join(', ')}.${readsAll} ${folderToName}`;
}

const folderToName = 'Name the folder of the whole project, or the one that holds the posts.';
