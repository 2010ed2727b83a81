import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { insertJson } from '#app/platform/json-insert.server.ts';
import { postPath } from '#app/posts/paths.ts';
import { isPublic } from '#app/posts/queries.server.ts';

const sitemapColumns = {
  path: { type: 'text' },
  post_id: { type: 'text' },
  last_modified: { type: 'time' },
} as const;

/** What a sitemap row is derived from. */
export const sitemapSource = { id: true, slug: true, contentUpdatedAt: true } as const;

interface SitemapPost {
  id: string;
  slug: string;
  contentUpdatedAt: Date;
}

/** Writes the sitemap rows of published posts that have none. */
export async function insertSitemapEntries(
  app: Pick<App, 'env'>,
  tx: Transaction,
  published: SitemapPost[],
): Promise<void> {
  if (published.length === 0) return;
  const rows = published.map(({ id, slug, contentUpdatedAt }) => ({
    path: postPath(slug),
    post_id: id,
    last_modified: contentUpdatedAt.toISOString(),
  }));
  await insertJson(tx, app.env.database.dialect, 'sitemap_entries', sitemapColumns, JSON.stringify(rows));
}

/** Derives the sitemap rows of these posts from the posts as they are now: no row outlives its publication. */
export async function followInSitemap(
  app: Pick<App, 'env'>,
  tx: Transaction,
  postIds: string[],
): Promise<void> {
  await tx.sitemapEntry.deleteMany({ where: { postId: { in: postIds } } });
  const published = await tx.post.findMany({
    where: { id: { in: postIds }, ...isPublic },
    select: sitemapSource,
    orderBy: { id: 'asc' },
  });
  await insertSitemapEntries(app, tx, published);
}

/** Tells every process that its copies of pages are out of date. The last write of a public change. */
export async function raiseContentVersion(tx: Transaction, now: Date): Promise<void> {
  await tx.siteState.upsert({
    where: { id: 1 },
    create: { id: 1, contentVersion: 1, updatedAt: now },
    update: { contentVersion: { increment: 1 }, updatedAt: now },
  });
}
