import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { insertJson } from '#app/platform/json-insert.server.ts';
import { lockTables } from '#app/platform/table-lock.server.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { postPath } from '#app/posts/paths.ts';
import { isPublicAfter } from '#app/posts/queries.server.ts';
import { enqueueMany } from '#app/search/enqueue-many.server.ts';
import { raiseContentVersion, type PublishingContext } from './public-change.server.ts';

/** Longest replacement: a large instance on a slow disk takes minutes. */
const TIMEOUT_MS = 6 * 60 * 60 * 1000;
const PAGE = 1_000;

const sitemapColumns = {
  path: { type: 'text' },
  post_id: { type: 'text' },
  last_modified: { type: 'time' },
} as const;

/**
 * The door for a change of everything at once: `work` clears and writes rows, in one transaction with the
 * consequences for all posts, before and after. Other writers wait until it ends, readers go on. The
 * caller brings the index in line afterwards. `work` may run again after a deadlock.
 * @param tables every table that `work` writes
 */
export async function replacePublicContent<T>(
  app: PublishingContext & Pick<App, 'env'>,
  tables: readonly string[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { dialect } = app.env.database;
  const locked = [...tables, 'sitemap_entries', 'search_outbox', 'site_state'];
  return inTransaction(
    app.db,
    async (tx) => {
      await lockTables(tx, dialect, locked);
      const touched = new Set<string>();
      for await (const posts of publishedPosts(tx)) for (const { id } of posts) touched.add(id);
      await tx.sitemapEntry.deleteMany();
      const result = await work(tx);
      for await (const posts of publishedPosts(tx)) {
        for (const { id } of posts) touched.add(id);
        const entries = JSON.stringify(posts.map(sitemapEntryOf));
        await insertJson(tx, dialect, 'sitemap_entries', sitemapColumns, entries);
      }
      await enqueueMany(app, tx, [...touched]);
      await raiseContentVersion(tx, app.clock.now());
      return result;
    },
    { timeout: TIMEOUT_MS },
  );
}

interface PublishedPost {
  id: string;
  slug: string;
  contentUpdatedAt: Date;
}

async function* publishedPosts(tx: Transaction): AsyncGenerator<PublishedPost[]> {
  let after = '';
  for (;;) {
    const posts = await tx.post.findMany({
      where: isPublicAfter(after),
      select: { id: true, slug: true, contentUpdatedAt: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (posts.length === 0) return;
    yield posts;
    after = posts.at(-1)!.id;
  }
}

function sitemapEntryOf({ id, slug, contentUpdatedAt }: PublishedPost) {
  return { path: postPath(slug), post_id: id, last_modified: contentUpdatedAt.toISOString() };
}
