import { beforeAll, expect, test } from 'vitest';
import { TRASHED } from '#app/posts/fields/states.ts';
import { findPost } from '#app/posts/lists/queries.server.ts';
import { findRelatedPosts } from '#app/posts/lists/related.server.ts';
import { describeWithOneApp } from '#tests/support/app.ts';
import { createCategory, createMedia, createPost, createTag } from '#tests/support/factories.ts';

const slugsOf = (posts: { slug: string }[]) => posts.map(({ slug }) => slug);

describeWithOneApp('related posts', (getApp) => {
  let post: NonNullable<Awaited<ReturnType<typeof findPost>>>;
  let cover: { path: string };
  beforeAll(async () => {
    const app = getApp();
    const [first, second] = [await createTag(app), await createTag(app)];
    const category = await createCategory(app);
    const published = { status: 'published', categoryId: category.id };
    const both = await createPost(app, { ...published, tagIds: [first.id, second.id] });
    await createPost(app, { ...published, slug: 'in-category' });
    const media = await createMedia(app, { width: 800, height: 400 });
    const oneTag = { slug: 'one-tag', tagIds: [first.id], coverMediaId: media.id };
    await createPost(app, { status: 'published', ...oneTag });
    await createPost(app, { status: 'published', slug: 'two-tags', tagIds: [second.id, first.id] });
    await createPost(app, { status: 'published', slug: 'unrelated' });
    // What is not public shares everything and would be the newest.
    const hidden = { publishedAt: app.clock.now(), categoryId: category.id, tagIds: [first.id, second.id] };
    for (const status of ['draft', 'scheduled', 'archived', TRASHED])
      await createPost(app, { ...hidden, status, slug: status });
    post = (await findPost(app, both.slug))!;
    cover = media;
  });

  test('are first those that share most tags, then those that share the category', async () => {
    const app = getApp();
    const related = (besides?: string[], limit = 5) => findRelatedPosts(app, post, { limit, besides });
    expect(slugsOf(await related())).toEqual(['two-tags', 'one-tag', 'in-category']);
    expect(slugsOf(await related([], 1))).toEqual(['two-tags']);
    expect(slugsOf(await related(['two-tags'], 2))).toEqual(['one-tag', 'in-category']);
  });

  test('have their times and covers', async () => {
    const app = getApp();
    const related = await findRelatedPosts(app, post, { limit: 5 });
    expect(related.map(({ publishedAt }) => publishedAt)).toEqual(
      await Promise.all(related.map(async ({ slug }) => (await findPost(app, slug))!.publishedAt)),
    );
    const covers = related.map(({ cover }) => cover && [cover.src, cover.width]);
    expect(covers).toEqual([null, [`/uploads/${cover.path}`, 800], null]);
  });
});
