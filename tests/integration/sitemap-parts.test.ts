import { expect, it } from 'vitest';
import { readSitemapParts } from '#app/feeds/sitemap-parts.server.ts';
import { renderSitemap } from '#app/feeds/sitemap.ts';
import { checkCounts } from '#app/publishing/rebuild-counts.server.ts';
import { sitemapText } from '#tests/support/sitemap-text.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { insertLargeBlog } from '#tests/support/large-blog.ts';
import { recordDatabase } from '#tests/support/recorded-database.ts';

describeWithApp('the sitemap in portions', (getApp) => {
  it('holds every entry once after any writes, and reads again only what has changed', async () => {
    const app = getApp();
    const { ids } = await insertLargeBlog(app, { posts: 2_300 });
    await app.db.sitemapEntry.deleteMany();
    // Oldest first, as posts are made; the portions come from the triggers.
    const oldestFirst = ids.toReversed();
    const { db, recording } = recordDatabase(app.variables.DATABASE_URL!);
    const recorded = { ...app, db };
    try {
      await add(app, oldestFirst.slice(0, 2_200));
      expect(await partsOf(recorded)).toEqual([1_000, 1_000, 200]);
      expect(await textOf(recorded)).toBe(await plainText(app));
      const changes: (() => Promise<unknown>)[] = [
        () => app.db.sitemapEntry.deleteMany({ where: { postId: oldestFirst[700] } }),
        () => add(app, [oldestFirst[700]!]),
        () =>
          app.db.sitemapEntry.updateMany({
            where: { postId: oldestFirst[1_500] },
            data: { image: 'a b.webp' },
          }),
        () => app.db.sitemapEntry.deleteMany({ where: { postId: { in: oldestFirst.slice(2_000, 2_200) } } }),
        () => add(app, oldestFirst.slice(2_000, 2_300)),
      ];
      for (const change of changes) {
        await change();
        recording.statements.length = 0;
        const text = await textOf(recorded);
        // The portions, the settings, and the entries of one portion.
        expect(recording.statements.length).toBeLessThanOrEqual(4);
        expect(text).toBe(await plainText(app));
        expect(await checkCounts(app, { repair: false })).toMatchObject({ different: 0, misplaced: 0 });
      }
      await app.db.sitemapPortion.updateMany({ data: { entries: 7 } });
      expect(await checkCounts(app, { repair: true })).toMatchObject({ different: 0, repaired: true });
      expect(await partsOf(recorded)).toEqual([1_000, 1_000, 300]);
      expect(await textOf(recorded)).toBe(await plainText(app));
    } finally {
      await db.$disconnect();
    }
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
