import { AppError } from '#app/platform/errors.ts';
import { isPublicAfter } from '#app/posts/queries.server.ts';
import { drainMarked } from './drain-marked.server.ts';
import type { SearchApp } from './drain.server.ts';
import { INDEX_NAME } from './engine.ts';
import type { ReindexOptions, ReindexResult } from './reindex.server.ts';

const PAGE = 1_000;

/**
 * Brings the documents whose slug begins with a prefix in line, in place: marks what the prefix covers on either
 * side and drains. One way to write, one set of rules.
 * @throws AppError when the engine does not take all of them.
 */
export async function reindexPrefix(
  app: SearchApp,
  { slugPrefix, batchSize, onProgress, signal }: ReindexOptions & { slugPrefix: string },
): Promise<ReindexResult> {
  const source = await publishedWithPrefix(app, slugPrefix);
  const marked = new Set(source);
  // Compared in code: LIKE and the engines' filters each have ideas of their own about letters.
  for await (const entry of app.search.entries()) if (entry.slug.startsWith(slugPrefix)) marked.add(entry.id);
  const ids = [...marked];
  let batchCount = 0;
  for (let from = 0; from < ids.length; from += batchSize) {
    if (signal?.aborted) throw new AppError('conflict', 'Stopped; the rest of the index is as it was.');
    await drainMarked(app, ids.slice(from, from + batchSize));
    batchCount += 1;
    onProgress?.(Math.min(from + batchSize, ids.length), ids.length);
  }
  return {
    indexName: INDEX_NAME,
    batchSize,
    batchCount,
    sourceCount: source.length,
    indexedCount: source.length,
  };
}

async function publishedWithPrefix(app: SearchApp, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const posts = await app.db.post.findMany({
      where: isPublicAfter(after),
      orderBy: { id: 'asc' },
      take: PAGE,
      select: { id: true, slug: true },
    });
    ids.push(...posts.filter(({ slug }) => slug.startsWith(prefix)).map(({ id }) => id));
    if (posts.length < PAGE) return ids;
    after = posts.at(-1)!.id;
  }
}
