import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { drainOutbox, type SearchApp } from './background-drain.server.ts';
import { compareIndex, type Comparison } from './compare-index.server.ts';
import { INDEX_NAME } from './engine.ts';
import { enqueue } from './outbox.server.ts';

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
export async function drainPosts(app: SearchApp, postIds: string[]): Promise<void> {
  await inTransaction(app.db, (tx) => enqueue(tx, app.clock, postIds));
  const reason = await drainOutbox(app, 'command');
  if (reason !== null) throw new AppError('unavailable', reason);
  const refused = await app.db.searchOutbox.findMany({ where: { attempts: { gt: 0 } } });
  const first = refused.find(({ postId }) => postIds.includes(postId));
  if (first)
    throw new AppError('unavailable', `The search engine refused post ${first.postId}: ${first.lastError}`);
}
