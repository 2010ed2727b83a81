import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#app/platform/errors.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { checkIndex } from './check-index.server.ts';
import { readDocumentsAfter } from './document.server.ts';
import type { SearchApp } from './drain.server.ts';
import { INDEX_NAME, type IndexBuild } from './engine.ts';
import { DRAIN_HEARTBEAT_MS, DRAIN_LEASE_MS } from './holder-watch.server.ts';
import { takeLease, takeOverLease, whileExtending, type Lease } from './lease.server.ts';
import { drainOutbox } from './outbox.server.ts';
import { reindexPrefix } from './reindex-prefix.server.ts';

const LEASE_MS = 30_000;
/** How long the swap waits for a drain to end. */
const SWAP_WAIT_MS = 60_000;

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
 * Rebuilds the index beside the old one, which keeps answering, and swaps after a count check; or, with a slug
 * prefix, brings a part in line in place. Edits made meanwhile are not lost. Of two rebuilds the later one wins,
 * so that one that was killed is in nobody's way.
 * @throws AppError `conflict` when another rebuild took over; engine errors. Then the old index stays.
 */
export async function reindexPosts(app: SearchApp, options: ReindexOptions): Promise<ReindexResult> {
  const { slugPrefix } = options;
  // An engine that is down or hangs says so now: the calls of a rebuild may take long.
  await app.search.hasIndex();
  if (slugPrefix) return reindexPrefix(app, { ...options, slugPrefix });
  const registration = await takeOverLease(app, 'search-rebuild', LEASE_MS);
  let isSwapped = false;
  try {
    const result = await whileExtending([registration], LEASE_MS / 5, () =>
      rebuild(app, options, registration),
    );
    isSwapped = true;
    return result;
  } finally {
    await registration.release();
    // What changed while the new index filled was kept for it; after a failure it is kept for the old one.
    if (!isSwapped || (await isAnyMarked(app))) await drainOutbox(app, { deadlineMs: null, retryAll: true });
  }
}

async function isAnyMarked(app: SearchApp): Promise<boolean> {
  // A drain says what is wrong with the database without failing the rebuild.
  return (await app.db.searchOutbox.findFirst({ select: { postId: true } }).catch(() => true)) !== null;
}

async function rebuild(app: SearchApp, options: ReindexOptions, registration: Lease): Promise<ReindexResult> {
  const build = await app.search.beginBuild();
  try {
    const result = await fill(app, build, options, registration);
    await swap(app, build, registration);
    return result;
  } catch (error) {
    await build.abandon().catch(() => {});
    throw error;
  }
}

async function fill(
  app: SearchApp,
  build: IndexBuild,
  { batchSize, onProgress, signal }: ReindexOptions,
  registration: Lease,
): Promise<ReindexResult> {
  const expected = await app.db.post.count({ where: { status: 'published' } });
  let sourceCount = 0;
  let batchCount = 0;
  for (let after = ''; ;) {
    const documents = await readDocumentsAfter(app, after, batchSize);
    if (documents.length === 0) break;
    if (signal?.aborted) throw new AppError('conflict', 'Stopped; the old index stays.');
    if (batchCount % 10 === 9) await requireHeld(registration);
    await build.add(documents);
    after = documents.at(-1)!.id;
    sourceCount += documents.length;
    batchCount += 1;
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

/**
 * Puts the new index in place while nobody drains: a drain that wrote to the old index and forgot its marks after
 * the swap would be lost for the new one.
 */
async function swap(app: SearchApp, build: IndexBuild, registration: Lease): Promise<void> {
  const drains = await holdDrains(app);
  let stillHeld: boolean;
  try {
    await requireHeld(registration);
    await whileExtending([drains], DRAIN_HEARTBEAT_MS, () => build.swap());
    stillHeld = await inTransaction(app.db, async (tx) => {
      if (!(await registration.extend(tx)) || !(await drains.extend(tx))) return false;
      await tx.searchOutbox.updateMany({ where: { keptFor: registration.holder }, data: { keptFor: '' } });
      return true;
    });
  } finally {
    await drains.release();
  }
  // Stopped in the middle of the swap for longer than the leases last: others drained into the old index.
  if (!stillHeld) await checkIndex(app, { repair: true });
}

async function holdDrains(app: SearchApp): Promise<Lease> {
  const started = performance.now();
  for (;;) {
    const lease = await takeLease(app, 'search-drain', DRAIN_LEASE_MS);
    if (lease) return lease;
    if (performance.now() - started > SWAP_WAIT_MS)
      throw new AppError('unavailable', 'Another process has been writing to the index for too long.');
    await sleep(20);
  }
}

async function requireHeld(registration: Lease): Promise<void> {
  if (await registration.extend()) return;
  throw new AppError('conflict', 'Another rebuild of the search index took over; this one stopped.');
}
