import { inChunks } from '#app/platform/jobs/event-loop.server.ts';
import type { PostFields } from '#app/posts/fields/fields.ts';
import { readFieldsOfPosts, readPostFields } from '#app/posts/fields/read.server.ts';
import { notTrashed } from '#app/posts/fields/states.ts';
import type { PublicChange } from '#app/publishing/change/public-change.server.ts';
import type { PostRow } from './row.server.ts';

/** Posts whose fields are read in one query. */
const POSTS_READ = 20;

export interface ReadPost {
  current: PostRow;
  before: PostFields;
}

/**
 * Reads the posts that one transaction changes one after the other, many with one query. Yields each item with its post;
 * null for a post that is gone or in the trash.
 */
export async function* readPosts<Item>(
  change: PublicChange,
  items: readonly Item[],
  postIdOf: (item: Item) => string,
): AsyncGenerator<{ item: Item; post: ReadPost | null }> {
  for (const chunk of inChunks(items, POSTS_READ)) {
    const ids = chunk.map(postIdOf);
    const rows = await change.tx.post.findMany({ where: { id: { in: ids }, ...notTrashed } });
    const fields = await readFieldsOfPosts(change.tx, rows);
    const posts = new Map(rows.map((row) => [row.id, { current: row, before: fields.get(row.id)! }]));
    for (const item of chunk) {
      const read = posts.get(postIdOf(item));
      yield { item, post: read ? await readAgain(change, read) : null };
    }
  }
}

/**
 * Reads a page or translation again: an earlier change of the transaction may have moved the page with its parent, or
 * have changed the translation's original.
 */
async function readAgain({ tx }: PublicChange, read: ReadPost): Promise<ReadPost | null> {
  const { id, type, translationOf } = read.current;
  if (type !== 'page' && translationOf === null) return read;
  const current = await tx.post.findUnique({ where: { id, ...notTrashed } });
  return current && { current, before: await readPostFields(tx, current) };
}
