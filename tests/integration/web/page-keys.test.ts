import { expect, it } from 'vitest';
import * as sitemap from '#app/feeds/sitemaps.server.ts';
import * as podcasts from '#app/feeds/podcast.server.ts';
import * as feeds from '#app/feeds/queries.server.ts';
import { SITEMAP_URL_LIMIT } from '#app/feeds/sitemap.ts';
import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import * as addresses from '#app/posts/addresses/find-address.server.ts';
import * as archive from '#app/posts/lists/archive.server.ts';
import * as pages from '#app/posts/lists/pages.server.ts';
import { summaryColumns } from '#app/posts/lists/public-post.ts';
import * as posts from '#app/posts/lists/queries.server.ts';
import * as related from '#app/posts/lists/related.server.ts';
import * as sharedNames from '#app/posts/lists/shared-names.server.ts';
import * as translations from '#app/posts/lists/translations.server.ts';
import * as terms from '#app/posts/terms/queries.server.ts';
import * as settings from '#app/settings/queries.server.ts';
import * as frame from '#app/site/shell/frame.server.ts';
import * as notFound from '#app/site/shell/not-found.server.ts';
import { ContentChanges } from '#app/web/cache/content-changes.ts';
import { SharedReadsInMemory } from '#app/web/cache/keyed-cache.ts';
import { describeWithApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';

/** The modules with the reads of public pages and feeds. A page that is kept reads nothing else. */
const modules = {
  ...{ feeds, podcasts, sitemap, archive, posts, pages, related, translations },
  ...{ settings, addresses, frame, notFound, terms, sharedNames },
};

type Post = NonNullable<Awaited<ReturnType<typeof posts.findPost>>>;

/** Every read of those modules. One that is new belongs in here, or below. */
const reads: Record<string, (app: TestApp, post: Post) => Promise<unknown>> = {
  findAddress: (app) => addresses.findAddress(app, '/about'),
  findAuthor: (app) => posts.findAuthor(app, 'writer'),
  findTerm: (app) => terms.findTerm(app, 'category', 'sea'),
  findNeighbours: (app, post) => posts.findNeighbours(app, post),
  findPageById: (app, post) => posts.findPageById(app, post.id),
  findPost: (app) => posts.findPost(app, 'one'),
  findRelatedPosts: (app, post) => related.findRelatedPosts(app, post, { limit: 3 }),
  findSitemapPart: async (app) => {
    // More addresses than one file has.
    const data = { sitemap: '', firstPostId: '~', entries: SITEMAP_URL_LIMIT, stamp: 1 };
    await app.db.sitemapPortion.create({ data });
    return sitemap.findSitemapPart(app, '2.xml');
  },
  listArchive: (app) => archive.listArchive(app, { page: 1, timeZone: 'UTC' }),
  listTerms: (app) => terms.listTerms(app, 'category'),
  listLanguages: async (app, post) => {
    await app.db.setting.upsert({
      where: { key: 'site_languages' },
      create: { key: 'site_languages', value: 'de', updatedAt: app.clock.now() },
      update: {},
    });
    return translations.listLanguages(app, { categoryId: post.categoryId! });
  },
  listNewestArticles: (app) => posts.listNewestArticles(app, {}, 3),
  listNewestLinks: (app) => posts.listNewestLinks(app, 3),
  listPagesAround: (app, post) => pages.listPagesAround(app, post),
  listPosts: (app) => posts.listPosts(app, { page: 1, pageSize: 3 }),
  listPostsById: (app, post) => posts.listPostsById(app, [post.id]),
  listTranslations: (app, post) => translations.listTranslations(app, post),
  notFound: (app) => notFound.notFound(app),
  readAuthor: async (app) => sharedNames.readAuthor(app, (await app.db.user.findFirstOrThrow()).id),
  readAuthorFeed: (app) => feeds.readAuthorFeed(app, 'writer'),
  readCategoryFeed: (app) => feeds.readCategoryFeed(app, 'sea'),
  readCategoryName: (app, post) => sharedNames.readCategoryName(app, post.categoryId),
  readPageSize: (app) => settings.readPageSize(app),
  readPodcast: (app) => podcasts.readPodcast(app, 'sea', ''),
  readRecentLinks: (app) => notFound.readRecentLinks(app),
  readSetting: (app) => settings.readSetting(app, 'site_title'),
  readSettings: (app) => settings.readSettings(app),
  readSiteFeed: (app) => feeds.readSiteFeed(app),
  readSitemapParts: (app) => sitemap.readSitemapParts(app),
  readTagFeed: (app) => feeds.readTagFeed(app, 'boats'),
  readTagName: (app, post) => sharedNames.readTagName(app, post.tagIds[0]!),
  renderLanguageSitemap: (app) => sitemap.renderLanguageSitemap(app, 'de'),
  siteFrameOf: (app) => frame.siteFrameOf(app, {}),
  summarise: async (app) => posts.summarise(app, await app.db.post.findMany({ select: summaryColumns })),
};

/** What only the backend reads, addresses of another site, and searches, whose answers are kept until anything changes. */
const notKept = [
  'findByPath',
  'findPage',
  'findTermId',
  'listAllTerms',
  'listVisibleTags',
  'readSettingTexts',
];

/** Posts in a category, with a tag and an author, and a page. */
async function createPublicContent(app: TestApp): Promise<void> {
  const author = await createUser(app, { username: 'writer' });
  const category = await createCategory(app, { slug: 'sea' });
  const tag = await createTag(app, { slug: 'boats' });
  const common = { authorId: author.id, categoryId: category.id, tagIds: [tag.id], status: 'published' };
  for (const slug of ['one', 'two', 'three']) {
    const { id } = await createPost(app, { ...common, slug });
    const row = { path: `/posts/${slug}`, postId: id, lastModified: app.clock.now() };
    await app.db.sitemapEntry.create({ data: row });
  }
  await createPost(app, { type: 'page', slug: '/about', listedIn: 'pages', status: 'published' });
}

describeWithApp('every read of public content', (getApp) => {
  it('is known here', () => {
    const exported = Object.values(modules).flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) =>
        typeof value === 'function' &&
        /^(async )?function (find|list|read|renderLanguage|count|summarise|siteFrame|notFound)/.test(
          String(value),
        )
          ? [name]
          : [],
      ),
    );
    expect(exported.sort()).toEqual([...Object.keys(reads), ...notKept].sort());
  });

  it('records the keys of what it found', async () => {
    const app = getApp();
    await createPublicContent(app);
    const post = (await posts.findPost(app, 'one'))!;
    const keysOf = async (read: (app: TestApp, post: Post) => Promise<unknown>) => {
      const keys = new Set<string>();
      const found = await read(
        { ...app, recordKeys: (...recorded) => recorded.forEach((key) => keys.add(key)) },
        post,
      );
      expect(found).toBeTruthy();
      return keys;
    };
    for (const [name, read] of Object.entries(reads)) expect([...(await keysOf(read))], name).not.toEqual([]);
    expect(await keysOf(reads.findPost!)).toContain(`post:${post.id}`);
    expect(await keysOf(reads.findAddress!)).toContain('path:/about');
    const listed = await app.db.post.findMany({ where: { type: 'post' } });
    expect(await keysOf(reads.listPosts!)).toEqual(
      new Set(['list:all', ...listed.map(({ id }) => `teaser:${id}`)]),
    );
  });

  it('is shared by pages, names too, until a change concerns every page', async () => {
    const changes = new ContentChanges();
    const alone = getApp();
    const sharing = { ...alone, sharedReads: new SharedReadsInMemory(changes) };
    const [category, tag] = [await createCategory(alone), await createTag(alone)];
    for (const slug of ['one', 'two'])
      await createPost(alone, { slug, status: 'published', categoryId: category.id, tagIds: [tag.id] });
    const before = (await posts.findPost(sharing, 'one'))!;
    expect(before).toEqual(await posts.findPost(alone, 'one'));
    await alone.db.category.update({ where: { id: category.id }, data: { name: 'Renamed' } });
    await alone.db.tag.update({ where: { id: tag.id }, data: { name: 'Renamed' } });
    expect((await posts.findPost(sharing, 'two'))!.category).toEqual(before.category);
    changes.take({ version: 1, since: changes.version, changes: [{ version: 1, keys: [EVERY_PAGE] }] });
    const after = (await posts.findPost(sharing, 'two'))!;
    expect([after.category!.name, ...after.tags.map(({ name }) => name)]).toEqual(['Renamed', 'Renamed']);
    expect(after).toEqual(await posts.findPost(alone, 'two'));
  });
});
