import { beforeAll, expect, test } from 'vitest';
import { readSiteFeed, readTagFeed } from '#app/feeds/queries.server.ts';
import { readSitemapParts } from '#app/feeds/sitemaps.server.ts';
import { teaserKey } from '#app/platform/http/page-keys.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { listArchive } from '#app/posts/lists/archive.server.ts';
import {
  findAuthor,
  findNeighbours,
  findPost,
  listNewestLinks,
  listPosts,
  listPostsById,
} from '#app/posts/lists/queries.server.ts';
import { findRelatedPosts } from '#app/posts/lists/related.server.ts';
import { findTerm, listTerms } from '#app/posts/terms/queries.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { withShownCovers } from '#app/site/lists/posts.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { sitemapText } from '#tests/support/sitemap-text.ts';

const hidden = ['draft', 'scheduled', 'archived'] as const;
const slugsOf = (posts: { slug: string }[]) => posts.map(({ slug }) => slug);

/** Posts in every state that share author, category and tag; the published ones in order, oldest first. */
async function publishThree(app: TestApp) {
  const author = await createUser(app);
  const category = await createCategory(app);
  const tag = await createTag(app);
  const common = { authorId: author.id, categoryId: category.id, tagIds: [tag.id] };
  const at = (day: number) => new Date(Date.UTC(2026, 10, day));
  const posts = [];
  for (const day of [1, 2, 3])
    posts.push(
      await createPost(app, {
        ...common,
        slug: `day-${day}`,
        status: 'published',
        publishedAt: at(day),
        excerpt: 'E',
      }),
    );
  for (const [index, status] of hidden.entries()) {
    const post = await createPost(app, {
      ...common,
      slug: `is-${status}`,
      status,
      publishedAt: at(10 + index),
    });
    await app.db.sitemapEntry.create({
      data: { path: `/posts/${post.slug}`, postId: post.id, lastModified: app.clock.now() },
    });
  }
  return { author, category, tag, posts };
}

describeWithApp('only published posts are public', (getApp) => {
  test('in lists, counts, archive, feeds and the sitemap', async () => {
    const app = getApp();
    const { author, category, tag, posts } = await publishThree(app);
    const published = ['day-3', 'day-2', 'day-1'];
    for (const scope of [{}, { authorId: author.id }, { categoryId: category.id }, { tagId: tag.id }]) {
      const list = await listPosts(app, { scope, page: 1, pageSize: 10 });
      expect(slugsOf(list!.posts)).toEqual(published);
      expect(list!.total).toBe(3);
    }
    expect((await listTerms(app, 'category')).map(({ postCount }) => postCount)).toEqual([3]);
    expect((await listTerms(app, 'tag')).map(({ postCount }) => postCount)).toEqual([3]);
    const archive = await listArchive(app, { page: 1, timeZone: 'UTC' });
    expect(slugsOf(archive!.posts)).toEqual(published);
    expect(archive!.years).toEqual([{ year: 2026, count: 3, page: 1 }]);
    expect((await readSiteFeed(app)).items).toHaveLength(3);
    expect((await readTagFeed(app, tag.slug))!.items).toHaveLength(3);
    expect(slugsOf(await listNewestLinks(app, 10))).toEqual(published);
    const [sitemap] = await readSitemapParts(app);
    expect(await sitemapText(app, sitemap!)).not.toContain('<url>');
    const everyId = (await app.db.post.findMany()).map(({ id }) => id);
    expect(await listPostsById(app, everyId)).toHaveLength(3);
    expect(
      slugsOf(await findRelatedPosts(app, { ...posts[0]!, tagIds: [tag.id] }, { limit: 9 })),
    ).not.toContain('is-draft');
  });

  test.each(hidden)('a %s post has no page, neighbours or redirect', async (status) => {
    const app = getApp();
    const { posts } = await publishThree(app);
    const post = await app.db.post.findUniqueOrThrow({ where: { slug: `is-${status}` } });
    await app.db.redirect.create({
      data: { path: '/posts/old', postId: post.id, createdAt: app.clock.now() },
    });
    expect(await findPost(app, post.slug)).toBeNull();
    expect(await findRedirect(app, '/posts/old')).toBeNull();
    const newest = await findPost(app, posts[2]!.slug);
    expect(await findNeighbours(app, newest!)).toMatchObject({ newer: null, older: { slug: 'day-2' } });
  });

  test('a category, tag or author without a published post does not exist', async () => {
    const app = getApp();
    const author = await createUser(app);
    const category = await createCategory(app);
    const tag = await createTag(app);
    await createPost(app, {
      status: 'scheduled',
      authorId: author.id,
      categoryId: category.id,
      tagIds: [tag.id],
    });
    const createdAt = app.clock.now();
    await app.db.redirect.create({ data: { path: '/categories/old', categoryId: category.id, createdAt } });
    await app.db.redirect.create({ data: { path: '/tags/old', tagId: tag.id, createdAt } });
    expect(await findTerm(app, 'category', category.slug)).toBeNull();
    expect(await findTerm(app, 'tag', tag.slug)).toBeNull();
    expect(await findAuthor(app, author.username)).toBeNull();
    expect(await listTerms(app, 'category')).toEqual([]);
    expect(await listTerms(app, 'tag')).toEqual([]);
    expect(await findRedirect(app, '/categories/old')).toBeNull();
    expect(await findRedirect(app, '/tags/old')).toBeNull();
  });
});

describeWithApp('public reads', (getApp) => {
  test('pages are cut in order and end where the posts end', async () => {
    const app = getApp();
    await publishThree(app);
    expect(slugsOf((await listPosts(app, { page: 2, pageSize: 2 }))!.posts)).toEqual(['day-1']);
    expect(await listPosts(app, { page: 3, pageSize: 2 })).toBeNull();
    await app.db.post.deleteMany();
    expect(await listPosts(app, { page: 1, pageSize: 2 })).toMatchObject({
      posts: [],
      total: 0,
      pageCount: 1,
    });
  });

  test('a neighbour has its picture, which is under the key of its list entry', async () => {
    const app = getApp();
    const { posts } = await publishThree(app);
    const { id: coverMediaId, path } = await createMedia(app);
    await app.db.post.update({ where: { id: posts[1]!.id }, data: { coverMediaId, coverFocus: '25 75' } });
    const keys: string[] = [];
    const recordKeys = (...some: string[]) => void keys.push(...some);
    const newest = await findPost(app, posts[2]!.slug);
    const { older, newer } = await findNeighbours({ ...app, recordKeys }, newest!);
    expect(older).toMatchObject({ cover: { src: `/uploads/${path}` }, coverFocus: '25 75' });
    expect(newer).toBeNull();
    expect(keys).toEqual([teaserKey(posts[1]!.id)]);
    expect(await findNeighbours(app, (await findPost(app, posts[1]!.slug))!)).toMatchObject({
      older: { cover: null },
      newer: { cover: null },
    });
  });

  test('posts of the same instant have one order, and each its neighbours in it', async () => {
    const app = getApp();
    const publishedAt = new Date('2026-11-01T00:00:00.000Z');
    for (const slug of ['a', 'b', 'c']) {
      app.clock.advance(1);
      await createPost(app, { slug, status: 'published', publishedAt });
    }
    const { posts } = (await listPosts(app, { page: 1, pageSize: 10 }))!;
    expect(slugsOf(posts)).toEqual(['c', 'b', 'a']);
    expect(await findNeighbours(app, { ...posts[1]!, listedIn: '' })).toMatchObject({
      older: { slug: 'a' },
      newer: { slug: 'c' },
    });
    expect(await findNeighbours(app, { ...posts[2]!, listedIn: '' })).toMatchObject({
      older: null,
      newer: { slug: 'b' },
    });
  });

  test('an article brings tags in order, cover and an excerpt of its own', async () => {
    const app = getApp();
    const tags = [await createTag(app, { name: 'Z' }), await createTag(app, { name: 'A' })];
    const cover = await createMedia(app, { alt: 'From the file', width: 800, height: 600 });
    await createPost(app, {
      slug: '数据',
      status: 'published',
      tagIds: tags.map(({ id }) => id),
      coverMediaId: cover.id,
      coverAlt: 'From the post',
      bodyHtml: '<p>Its beginning.</p>',
      publishedAt: new Date('2026-11-19T00:00:00.000Z'),
      contentUpdatedAt: new Date('2026-11-18T00:00:00.000Z'),
    });
    const post = await findPost(app, '数据');
    expect(post!.tags.map(({ name }) => name)).toEqual(['Z', 'A']);
    expect(post!.cover).toMatchObject({ src: `/uploads/${cover.path}`, alt: 'From the post', width: 800 });
    expect(post!.excerpt).toBe('Its beginning.');
    expect(post!.updatedAt).toEqual(post!.publishedAt);
  });

  test('years of the archive follow the zone', async () => {
    const app = getApp();
    for (const publishedAt of [
      '2024-12-31T23:30:00.000Z',
      '2025-06-01T00:00:00.000Z',
      '2022-01-01T12:00:00.000Z',
    ])
      await createPost(app, { status: 'published', publishedAt: new Date(publishedAt) });
    const years = async (timeZone: string) =>
      (await listArchive(app, { page: 1, timeZone }))!.years.map(({ year, count }) => [year, count]);
    expect(await years('UTC')).toEqual([
      [2025, 1],
      [2024, 1],
      [2022, 1],
    ]);
    expect(await years('Europe/Berlin')).toEqual([
      [2025, 2],
      [2022, 1],
    ]);
    expect(await listArchive(app, { page: 2, timeZone: 'UTC' })).toBeNull();
  });

  test('the archive shows posts of the last years, as on the site at such an instant', async () => {
    const app = getApp();
    for (const publishedAt of ['9999-12-31T23:30:00.000Z', '9998-06-01T00:00:00.000Z'])
      await createPost(app, { status: 'published', publishedAt: new Date(publishedAt) });
    for (const timeZone of ['UTC', 'Asia/Tokyo', 'America/New_York'])
      expect((await listArchive(app, { page: 1, timeZone }))!.years).toEqual([
        { year: 9999, count: 1, page: 1 },
        { year: 9998, count: 1, page: 1 },
      ]);
  });

  test('covers of the archive and of search hits are read where the lists of the site have pictures', async () => {
    const app = getApp();
    const cover = await createMedia(app);
    const covered = [{ coverMediaId: cover.id, coverFocus: '' }];
    const [shown] = await withShownCovers(app, {}, covered);
    expect(shown!.cover?.src).toBe(`/uploads/${cover.path}`);
    await changeSettings(app, { list_style: 'compact' });
    const asked: unknown[] = [];
    const db = new Proxy(app.db, {
      get: (target, name) => {
        asked.push(name);
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(await withShownCovers({ ...app, db }, {}, covered)).toEqual([{ coverFocus: '', cover: null }]);
    expect(asked).not.toContain('media');
  });

  test('the sitemap holds what is published, with its image', async () => {
    const app = getApp();
    const cover = await createMedia(app);
    const post = await createPost(app, { slug: 'a', status: 'published', coverMediaId: cover.id });
    const lastModified = new Date('2026-11-20T07:00:00.000Z');
    const data = { path: '/posts/a', postId: post.id, lastModified, image: cover.path };
    await app.db.sitemapEntry.create({ data });
    const parts = await readSitemapParts(app);
    expect(parts).toHaveLength(1);
    const text = await sitemapText(app, parts[0]!);
    expect(text).toContain('<loc>https://blog.example.org/posts/a</loc>');
    expect(text).toContain('<lastmod>2026-11-20T07:00:00.000Z</lastmod>');
    expect(text).toContain(`<image:loc>https://blog.example.org/uploads/${cover.path}</image:loc>`);
  });
});

describeWithOneApp('redirects', (getApp) => {
  beforeAll(async () => {
    const app = getApp();
    const { id: tagId } = await createTag(app, { slug: '标签' });
    const { id: categoryId } = await createCategory(app, { slug: 'news' });
    const post = { slug: '数据', status: 'published', categoryId, tagIds: [tagId] };
    const { id: postId } = await createPost(app, post);
    const createdAt = app.clock.now();
    const rows = [
      { path: '/2014/09/15/Rust 1.0.html', postId },
      { path: '/posts/数', postId },
      { path: '/posts/数据', postId },
      { path: '/categories/old', categoryId },
      { path: '/tags/旧', tagId },
    ];
    for (const row of rows) await app.db.redirect.create({ data: { ...row, createdAt } });
  });

  test.each([
    ['/2014/09/15/Rust%201.0.html', '/posts/%E6%95%B0%E6%8D%AE'],
    ['/posts/%E6%95%B0', '/posts/%E6%95%B0%E6%8D%AE'],
    ['/categories/old', '/categories/news'],
    ['/tags/%E6%97%A7', '/tags/%E6%A0%87%E7%AD%BE'],
  ])('lead from %s to the present path, encoded', async (path, target) => {
    expect(await findRedirect(getApp(), path)).toBe(target);
  });

  test.each([
    ['the address of the post itself', '/posts/%E6%95%B0%E6%8D%AE'],
    ['a broken encoding', '/posts/%E0%A4%A'],
    ['a zero byte', '/posts/a%00b'],
    ['an unknown address', '/nowhere'],
  ])('lead nowhere from %s', async (_what, path) => {
    expect(await findRedirect(getApp(), path)).toBeNull();
  });
});
