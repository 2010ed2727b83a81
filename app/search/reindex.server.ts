import { AppError } from '#app/platform/errors.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { countPosts } from '#app/posts/post-counts.server.ts';
import { isPublic } from '#app/posts/queries.server.ts';
import { drainOutbox, patience, type SearchApp } from './background-drain.server.ts';
import { checkIndex, drainPosts } from './check-index.server.ts';
import { readDocumentsAfter } from './document.server.ts';
import { Drain } from './drain.server.ts';
import { INDEX_NAME, type IndexBuild } from './engine.ts';
import { takeOverLease, type Lease } from './lease.server.ts';
import { enqueue } from './outbox.server.ts';

export interface ReindexOptions {
  /** 1 to 1000. */
  batchSize: number;
  /** Only documents whose slug begins with it are brought in line; the rest stay. */
  slugPrefix?: string;
  /** Called after each batch with how many of how many are done. */
  onProgress?: (done: number, total: number) => void;
  /** Stops between two batches; the old index stays. */
  signal?: AbortSignal;
}

/** What `search:reindex-posts` prints (contract, section 2). */
export interface ReindexResult {
  indexName: string;
  batchSize: number;
  batchCount: number;
  /** Published posts that were read. */
  sourceCount: number;
  /** Documents that the index took of them. */
  indexedCount: number;
}

/**
 * Rebuilds the index beside the old one, which keeps answering and following, and swaps after a count check; or, with
 * a slug prefix, brings a part in line in place. Of two rebuilds the later one wins, so that one that was killed is in
 * nobody's way.
 * @throws AppError `conflict` when another rebuild took over; engine errors. Then the old index stays.
 */
export async function reindexPosts(app: SearchApp, options: ReindexOptions): Promise<ReindexResult> {
  // An engine that is down or hangs says so now: the calls of a rebuild may take long.
  await app.search.describe();
  if (options.slugPrefix) return reindexPrefix(app, options, options.slugPrefix);
  const lease = await takeOverLease(app);
  const { result, isInLine } = await lease.during(() => rebuild(app, options, lease));
  if (!isInLine) await checkIndex(app, { repair: true });
  await drainOutbox(app, 'command');
  return result;
}

async function rebuild(app: SearchApp, options: ReindexOptions, lease: Lease) {
  const build = await app.search.beginBuild();
  try {
    const changed = new Set<string>();
    const result = await fill(app, build, options, lease, changed);
    await requireHeld(lease);
    // The old index has them as they are now, the new one perhaps as they were when it was filled.
    await inTransaction(app.db, (tx) => enqueue(tx, app.clock, [...changed]));
    await build.swap();
    const state = await app.search.describe();
    // False for a process that was stopped in the swap: others drained into the old index meanwhile.
    return { result, isInLine: state !== null && (await lease.remember(state.id)) };
  } catch (error) {
    await build.abandon().catch(() => {});
    throw error;
  }
}

/** Fills the new index, and between two batches drains into the old one. @param changed gets the drained posts */
async function fill(
  app: SearchApp,
  build: IndexBuild,
  { batchSize, onProgress, signal }: ReindexOptions,
  lease: Lease,
  changed: Set<string>,
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
    for (const id of await drainBetween(app, lease)) changed.add(id);
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

/** What the old index does not take (there may be none yet) waits in the outbox for the new one. */
async function drainBetween(app: SearchApp, lease: Lease): Promise<string[]> {
  const drain = new Drain(app, patience.nobody);
  const isHeld = await drain.pass(lease, { all: false }).catch(() => true);
  if (!isHeld) throw tookOver();
  return drain.report.taken;
}

async function requireHeld(lease: Lease): Promise<void> {
  if (!(await lease.extend())) throw tookOver();
}

function tookOver(): AppError {
  return new AppError('conflict', 'Another rebuild of the search index took over; this one stopped.');
}

async function reindexPrefix(
  app: SearchApp,
  { batchSize, onProgress, signal }: ReindexOptions,
  prefix: string,
): Promise<ReindexResult> {
  const source = await publishedWithPrefix(app, prefix);
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

// Compared in code too: LIKE and the engines' filters each treat letters in their own way.
async function publishedWithPrefix(app: SearchApp, prefix: string): Promise<string[]> {
  const posts = await app.db.post.findMany({
    where: { ...isPublic, slug: { startsWith: prefix } },
    select: { id: true, slug: true },
  });
  return posts.filter(({ slug }) => slug.startsWith(prefix)).map(({ id }) => id);
}
