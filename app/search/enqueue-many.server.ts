import type { App } from '#app/app.ts';
import { newId } from '#app/platform/clock.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { insertJson } from '#app/platform/json-insert.server.ts';

const PAGE = 500;

const columns = {
  post_id: { type: 'text' },
  marker: { type: 'text' },
  enqueued_at: { type: 'time' },
  attempts: { type: 'integer' },
  last_error: { type: 'text' },
  kept_for: { type: 'text' },
} as const;

/** `enqueue` for any number of posts at once, inside the transaction that changes them all. */
export async function enqueueMany(
  app: Pick<App, 'env' | 'clock'>,
  tx: Transaction,
  postIds: readonly string[],
): Promise<void> {
  const mark = { enqueued_at: app.clock.now().toISOString(), attempts: 0, last_error: '', kept_for: '' };
  for (let start = 0; start < postIds.length; start += PAGE) {
    const page = postIds.slice(start, start + PAGE);
    await tx.searchOutbox.deleteMany({ where: { postId: { in: page } } });
    const rows = page.map((post_id) => ({ post_id, marker: newId(app.clock), ...mark }));
    await insertJson(tx, app.env.database.dialect, 'search_outbox', columns, JSON.stringify(rows));
  }
}
