import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { createSearchApp, type SearchTestApp } from '#tests/support/search-app.ts';

let app: SearchTestApp;
beforeAll(async () => {
  app = await createSearchApp('embedded');
});
afterAll(() => app?.close());

it('a published post is a row of the embedded table, with the names of the contract', async () => {
  const publishedAt = new Date('2020-01-02T03:04:05.678Z');
  const post = await createPost(app, {
    status: 'published',
    publishedAt,
    slug: 'harbour',
    title: 'Harbour',
    excerpt: 'In short',
    body: 'At length',
    authorId: (await createUser(app, { displayName: 'Ada Lovelace' })).id,
    categoryId: (await createCategory(app, { name: 'Sea' })).id,
    tagIds: [(await createTag(app, { name: 'Tide' })).id, (await createTag(app, { name: 'Wind' })).id],
  });
  await createPost(app, { status: 'scheduled' });
  await reindexPosts(app, { batchSize: 200 });
  const db = new BetterSqlite3(app.test.file!, { readonly: true });
  const rows = db
    .prepare(
      'SELECT id, slug, title, excerpt, body, category, tags, author, publishedAt FROM published_posts',
    )
    .all();
  db.close();
  expect(rows).toEqual([
    {
      id: post.id,
      slug: 'harbour',
      title: 'Harbour',
      excerpt: 'In short',
      body: 'At length',
      category: 'Sea',
      tags: '["Tide","Wind"]',
      author: 'Ada Lovelace',
      publishedAt: Math.floor(publishedAt.getTime() / 1000),
    },
  ]);
});
