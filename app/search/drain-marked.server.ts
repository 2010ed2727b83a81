import { AppError } from '#app/platform/errors.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import type { SearchApp } from './drain.server.ts';
import { enqueue } from './enqueue.server.ts';
import { drainOutbox } from './outbox.server.ts';

/**
 * Marks posts and drains until the index has them: for commands, whose result says that it does.
 * @throws AppError `unavailable` with the engine's reason when it does not take all of them; they stay marked.
 */
export async function drainMarked(app: SearchApp, postIds: string[]): Promise<void> {
  await inTransaction(app.db, (tx) => enqueue(tx, app.clock, postIds));
  const { reason, refused } = await drainOutbox(app, { deadlineMs: null, retryAll: true });
  if (reason !== null) throw new AppError('unavailable', reason);
  const wanted = new Set(postIds);
  const first = refused.find(({ id }) => wanted.has(id));
  if (first) throw new AppError('unavailable', `The search engine refused post ${first.id}: ${first.reason}`);
}
