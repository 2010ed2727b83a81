import { expect } from 'vitest';
import type { App } from '#app/app.ts';

/**
 * Every post is published with its sitemap row, or nothing of that has happened; each batch of 200 wholly or
 * not at all. For a database in which only triggers have changed something.
 * @returns how many are published
 */
export async function expectCompleteBatches(app: Pick<App, 'db'>): Promise<number> {
  const posts = await app.db.post.findMany({ include: { sitemapEntries: true } });
  const marked = new Set((await app.db.searchOutbox.findMany()).map(({ postId }) => postId));
  for (const post of posts) {
    const published = post.status === 'published';
    expect(post.version).toBe(published ? 2 : 1);
    expect(post.sitemapEntries).toHaveLength(published ? 1 : 0);
    if (!published) expect(marked.has(post.id)).toBe(false);
  }
  const count = posts.filter(({ status }) => status === 'published').length;
  expect(count % 200).toBe(0);
  expect((await app.db.siteState.findFirst())?.contentVersion ?? 0).toBe(count / 200);
  return count;
}
