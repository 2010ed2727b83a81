import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSitemapParts } from '#app/feeds/sitemaps.server.ts';
import { renderSitemap } from '#app/feeds/sitemap.ts';
import { postStatuses, TRASHED } from '#app/posts/fields/states.ts';
import { checkCounts } from '#app/publishing/change/rebuild-counts.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { insertLargeBlog } from '#tests/support/large-blog.ts';
import { recordDatabase, type Recording } from '#tests/support/recorded-database.ts';
import { sitemapText } from '#tests/support/sitemap-text.ts';

describeWithOneApp('the sitemap in portions', (getApp) => {
  /** Of 2,300 posts, oldest first, as posts are made. The sitemap has the first 2,200 of them. */
  let ids: string[];
  let recorded: TestApp;
  let recording: Recording;

  beforeAll(async () => {
    const app = getApp();
    ids = (await insertLargeBlog(app, { posts: 2_300 })).ids.toReversed();
    await app.db.sitemapEntry.deleteMany();
    await add(app, ids.slice(0, 2_200));
    const second = recordDatabase(app.variables.DATABASE_URL!);
    recorded = { ...app, db: second.db };
    recording = second.recording;
  });
  afterAll(() => recorded?.db.$disconnect());

  const remove = (postIds: string[]) =>
    getApp().db.sitemapEntry.deleteMany({ where: { postId: { in: postIds } } });
  const addImage = (postId: string) =>
    getApp().db.sitemapEntry.updateMany({ where: { postId }, data: { image: 'a b.webp' } });

  it('holds every entry once', async () => {
    // The portions come from the triggers.
    expect(await partsOf(recorded)).toEqual([1_000, 1_000, 200]);
    expect(await textOf(recorded)).toBe(await plainText(getApp()));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a post in the middle is gone', () => remove([ids[700]!])],
    ['it is back', () => add(getApp(), [ids[700]!])],
    ['a post has another cover', () => addImage(ids[1_500]!)],
    ['the last portion is gone', () => remove(ids.slice(2_000, 2_200))],
    ['the last portion is back and longer', () => add(getApp(), ids.slice(2_000, 2_300))],
  ])('is right once %s', async (_what, change) => {
    await change();
    recording.statements.length = 0;
    const text = await textOf(recorded);
    // The portions, the settings, and the entries, a thousand with one statement.
    expect(recording.statements.length).toBeLessThanOrEqual(5);
    expect(text).toBe(await plainText(getApp()));
    expect(await checkCounts(getApp(), { repair: false })).toMatchObject({ different: 0, misplaced: 0 });
  });

  it('is right again once wrong counts of its portions are repaired', async () => {
    await getApp().db.sitemapPortion.updateMany({ data: { entries: 7 } });
    expect(await checkCounts(getApp(), { repair: true })).toMatchObject({ different: 0, repaired: true });
    expect(await partsOf(recorded)).toEqual([1_000, 1_000, 300]);
    expect(await textOf(recorded)).toBe(await plainText(getApp()));
  });
});

describeWithApp('the sitemap', (getApp) => {
  it('names no post that is not public, whatever its entries say', async () => {
    const app = getApp();
    const ids = new Map<string, string>();
    for (const status of [...postStatuses, TRASHED])
      ids.set(status, (await createPost(app, { status, publishedAt: app.clock.now() })).id);
    await add(app, [...ids.values()]);
    const text = await textOf(app);
    expect([...ids.keys()].filter((status) => text.includes(`/posts/${ids.get(status)}<`))).toEqual([
      'published',
    ]);
  });
});

async function add(app: TestApp, postIds: string[]): Promise<void> {
  await app.db.sitemapEntry.createMany({
    data: postIds.map((postId) => ({ path: `/posts/${postId}`, postId, lastModified: app.clock.now() })),
  });
}

const partsOf = async (app: TestApp) =>
  (await readSitemapParts(app, 1_000)).map(({ portions }) =>
    portions.reduce((sum, { entries }) => sum + entries, 0),
  );

async function textOf(app: TestApp): Promise<string> {
  const [part, ...others] = await readSitemapParts(app);
  expect(others).toEqual([]);
  return sitemapText(app, part!);
}

async function plainText(app: TestApp): Promise<string> {
  const rows = await app.db.sitemapEntry.findMany({ orderBy: [{ postId: 'asc' }, { path: 'asc' }] });
  const urls = rows.map(({ path, lastModified, image }) => ({
    path,
    lastModified: lastModified.toISOString(),
    image: image === null ? undefined : `/uploads/${encodeURIComponent(image)}`,
  }));
  return renderSitemap(app.env.siteUrl, urls);
}
