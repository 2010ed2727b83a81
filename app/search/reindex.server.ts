import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { isPublic } from '#app/posts/lists/queries.server.ts';
import { readDocumentsAfter } from './document.server.ts';
import { drainOutbox, type SearchApp, Drain, compareIndex, type Comparison } from './drain.server.ts';
import { INDEX_NAME, type IndexBuild } from './engine.ts';
import { takeLease, type Lease, enqueue } from './outbox.server.ts';

export interface ReindexOptions {
  /** 1 to 1000. */
  batchSize: number;
  /** Only documents whose slug begins with it are updated. The others stay. */
  slugPrefix?: string;
  /** Called after each batch. */
  onProgress?: (done: number, total: number) => void;
  /** Stops the rebuild between two batches. The old index stays. */
  signal?: AbortSignal;
}

/** What `search:reindex-posts` prints (contract, section 2). */
export interface ReindexResult {
  indexName: string;
  batchSize: number;
  batchCount: number;
  /** Published posts that were read. */
  sourceCount: number;
  /** Number of those documents that the index took. */
  indexedCount: number;
}

/**
 * Rebuilds the index and swaps it in after a count check. Meanwhile the old index keeps answering and is updated. With
 * a slug prefix, updates a part of the index in place instead. Of two rebuilds the later one wins, so that a killed one
 * blocks nobody.
 * @throws AppError `conflict` when another rebuild took over; engine errors. Then the old index stays.
 */
export async function reindexPosts(app: SearchApp, options: ReindexOptions): Promise<ReindexResult> {
  // Fails now if the engine is down or hangs: the calls of a rebuild have long time limits.
  await app.search.describe();
  if (options.slugPrefix) return reindexPrefix(app, options, options.slugPrefix);
  const lease = (await takeLease(app, { force: true }))!;
  const result = await lease.during(() => rebuild(app, options, lease));
  await drainOutbox(app, 'command');
  return result;
}

async function rebuild(app: SearchApp, options: ReindexOptions, lease: Lease): Promise<ReindexResult> {
  const build = await app.search.beginBuild();
  const drain = new Drain(app);
  // Changes that the old index does not take (it may not exist yet) stay in the outbox for the new one.
  const updateOldIndex = async () => {
    const hasLease = (await drain.pass(lease).catch(() => true)) && (await lease.extend());
    if (!hasLease)
      throw new AppError('conflict', 'Another rebuild of the search index took over; this one stopped.');
  };
  try {
    const result = await fill(app, build, options, updateOldIndex);
    await updateOldIndex();
    // The old index has these changes. The new one may have been filled before them.
    await inTransaction(app.db, (tx) => enqueue(tx, app.clock, drain.taken));
    await build.swap();
    const state = await app.search.describe();
    // If the lease was lost, or the process stopped during the swap, the next drain compares the index with the
    // database.
    if (state) await lease.remember(state.id);
    return result;
  } catch (error) {
    await build.abandon().catch(() => {});
    throw error;
  }
}

/** Fills the new index. @param updateOldIndex updates the old index */
async function fill(
  app: SearchApp,
  build: IndexBuild,
  { batchSize, onProgress, signal }: ReindexOptions,
  updateOldIndex: () => Promise<void>,
): Promise<ReindexResult> {
  const expected = await countPosts(app);
  let sourceCount = 0;
  let batchCount = 0;
  for (let after = ''; ;) {
    const documents = await readDocumentsAfter(app, after, batchSize);
    if (documents.length === 0) break;
    if (signal?.aborted) throw new AppError('conflict', 'Stopped; the old index stays.');
    await build.add(documents);
    after = documents.at(-1)!.id;
    sourceCount += documents.length;
    batchCount += 1;
    await updateOldIndex();
    onProgress?.(sourceCount, Math.max(sourceCount, expected));
    if (documents.length < batchSize) break;
  }
  const indexedCount = await build.finish();
  if (indexedCount !== sourceCount)
    throw new AppError(
      'unavailable',
      `The new index holds ${indexedCount} of ${sourceCount} posts; the old one stays.`,
    );
  return { indexName: INDEX_NAME, batchSize, batchCount, sourceCount, indexedCount };
}

async function reindexPrefix(
  app: SearchApp,
  { batchSize, onProgress, signal }: ReindexOptions,
  prefix: string,
): Promise<ReindexResult> {
  const posts = await app.db.post.findMany({
    where: { ...isPublic, slug: { startsWith: prefix } },
    select: { id: true, slug: true },
  });
  // Compared in code too: LIKE and the engines' filters each treat case in their own way.
  const source = posts.filter(({ slug }) => slug.startsWith(prefix)).map(({ id }) => id);
  const ids = new Set(source);
  for await (const { id, slug } of app.search.entries()) if (slug.startsWith(prefix)) ids.add(id);
  let batchCount = 0;
  for (let from = 0; from < ids.size; from += batchSize) {
    if (signal?.aborted) throw new AppError('conflict', 'Stopped; the rest of the index is as it was.');
    await drainPosts(app, [...ids].slice(from, from + batchSize));
    batchCount += 1;
    onProgress?.(Math.min(from + batchSize, ids.size), ids.size);
  }
  const count = source.length;
  return { indexName: INDEX_NAME, batchSize, batchCount, sourceCount: count, indexedCount: count };
}

/** What `search:check-index` prints (contract, section 2). */
export interface IndexCheck extends Omit<Comparison, 'different'> {
  indexName: string;
  repaired: boolean;
}

/**
 * Compares the index with the database, and with `repair` updates the index where it differs. The counts are those
 * found before the repair.
 * @throws engine errors.
 */
export async function checkIndex(app: SearchApp, { repair }: { repair: boolean }): Promise<IndexCheck> {
  const { different, ...counts } = await compareIndex(app);
  const repaired = repair && different.length > 0;
  if (repaired) await drainPosts(app, different);
  return { indexName: INDEX_NAME, ...counts, repaired };
}

/**
 * Puts posts into the outbox and drains until the index has them, for commands, whose result promises it.
 * @throws AppError `unavailable` with the engine's reason when it does not take all posts, which then stay in the
 *   outbox.
 */
async function drainPosts(app: SearchApp, postIds: string[]): Promise<void> {
  await inTransaction(app.db, (tx) => enqueue(tx, app.clock, postIds));
  const reason = await drainOutbox(app, 'command');
  if (reason !== null) throw new AppError('unavailable', reason);
  const refused = await app.db.searchOutbox.findMany({ where: { attempts: { gt: 0 } } });
  const first = refused.find(({ postId }) => postIds.includes(postId));
  if (first)
    throw new AppError('unavailable', `The search engine refused post ${first.postId}: ${first.lastError}`);
}
