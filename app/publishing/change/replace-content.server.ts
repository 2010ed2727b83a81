import type { Prisma, Transaction } from '#app/platform/database/client.server.ts';
import { lockTables } from '#app/platform/database/table-lock.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import { isPublicAfter } from '#app/posts/lists/queries.server.ts';
import { enqueue } from '#app/search/outbox.server.ts';
import { sitemapSource } from './post-listing.server.ts';
import type { PublishingContext } from './public-change.server.ts';
import { insertAuthorPosts, insertSitemapEntries, raiseContentVersion } from './public-effects.server.ts';
import { sumUpCounts } from './rebuild-counts.server.ts';

/** Time limit: a large instance on a slow disk takes minutes. */
const TIMEOUT_MS = 6 * 60 * 60 * 1000;
/** Prisma loads each relation with one parameter per post; beyond 999 it refuses the query. */
const PAGE = 500;

/**
 * Replaces all content at once: `work` clears and writes rows, in one transaction with the consequences for all posts,
 * before and after. Other writers wait until it ends; readers continue. The caller updates the index afterwards. `work`
 * may run again after a deadlock.
 * @param tables every table that `work` writes
 */
export async function replacePublicContent<T>(
  app: PublishingContext,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { dialect } = app.env.database;
  const locked = [...tables, 'sitemap_entries', 'author_posts', 'search_outbox', 'site_state'];
  const result = await inTransaction(
    app.db,
    async (tx) => {
      await lockTables(tx, dialect, locked);
      const affected = new Set<string>();
      for await (const posts of publishedPosts(tx)) for (const { id } of posts) affected.add(id);
      await tx.sitemapEntry.deleteMany();
      await tx.authorPost.deleteMany();
      const result = await work(tx);
      for await (const posts of publishedPosts(tx)) {
        for (const { id } of posts) affected.add(id);
        await insertAuthorPosts(app, tx, await insertSitemapEntries(app, tx, posts));
      }
      await enqueue(tx, app.clock, [...affected]);
      await raiseContentVersion(app, { tx, now: app.clock.now() }, new Set([EVERY_PAGE]));
      return result;
    },
    { timeout: TIMEOUT_MS },
  );
  await sumUpCounts(app).catch(() => {});
  return result;
}

async function* publishedPosts(
  tx: Transaction,
): AsyncGenerator<Prisma.PostGetPayload<{ select: typeof sitemapSource }>[]> {
  let after = '';
  for (;;) {
    const posts = await tx.post.findMany({
      where: isPublicAfter(after),
      select: sitemapSource,
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (posts.length === 0) return;
    yield posts;
    after = posts.at(-1)!.id;
  }
}
