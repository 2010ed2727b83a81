import type { LoaderFunction } from '@remix-run/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load as loadCalendar } from '#app/admin/calendar/calendar.server.ts';
import { load as loadDashboard } from '#app/admin/dashboard/dashboard.server.ts';
import { load as loadNewPost } from '#app/admin/editor/page/new.server.ts';
import type { ScreenArguments } from '#app/admin/frame/screen.ts';
import { load as loadPosts } from '#app/admin/posts/posts.server.ts';
import { tagsScreen } from '#app/admin/terms/terms.server.ts';
import { compareWithNow } from '#app/admin/time-travel/compare-sites.server.ts';
import { listEmbedsWith, listMediaUses, listSomeMediaUses } from '#app/media/library/queries.server.ts';
import type { Media } from '#app/media/library/store-media.server.ts';
import { createMetrics, type Metrics } from '#app/operations/metrics.server.ts';
import { readReadiness } from '#app/operations/readiness.server.ts';
import { findNamedPost } from '#app/posts/addresses/find-redirect.server.ts';
import { editPost } from '#app/publishing/posts/save.server.ts';
import { publishDue } from '#app/publishing/trigger/publish-due.server.ts';
import { loader as atom } from '#app/site/feeds/atom.route.ts';
import { loader as categoryFeed } from '#app/site/feeds/category-rss.route.ts';
import { loader as jsonFeed } from '#app/site/feeds/json.route.ts';
import { loader as rss } from '#app/site/feeds/rss.route.ts';
import { loader as sitemapPart } from '#app/site/feeds/sitemap-part.route.ts';
import { loader as sitemap } from '#app/site/feeds/sitemap.route.ts';
import { loader as tagFeed } from '#app/site/feeds/tag-rss.route.ts';
import { loader as archive } from '#app/site/lists/archive.route.tsx';
import { loader as author } from '#app/site/lists/author.route.tsx';
import { loader as categories } from '#app/site/lists/categories.route.tsx';
import { loader as category } from '#app/site/lists/category.route.tsx';
import { loader as home } from '#app/site/lists/home.route.tsx';
import { loader as tag } from '#app/site/lists/tag.route.tsx';
import { loader as tags } from '#app/site/lists/tags.route.tsx';
import { loader as post } from '#app/site/posts/post.route.tsx';
import { loader as search } from '#app/site/search/search.route.tsx';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { createMedia, createUser } from '#tests/support/factories.ts';
import { insertLargeBlog, type LargeBlog } from '#tests/support/large-blog.ts';
import { recordDatabase, type Recording } from '#tests/support/recorded-database.ts';
import { findCostly } from '#tests/support/statement-costs.ts';

const nightly = process.env.NIGHTLY === '1';
const POSTS = nightly ? 100_000 : 30_000;
const PICTURES = 1_000;
const limits = {
  growing: [
    'posts',
    'post_tags',
    'tag_posts',
    'author_posts',
    'sitemap_entries',
    'revisions',
    'redirects',
    'search_outbox',
    'file_mentions',
    'prepared_changes',
    'embeds',
    'audit_log',
  ],
  // A part of the sitemap is read in portions of a thousand.
  rows: 2_500,
  milliseconds: nightly ? 10 : Infinity,
};

describeOnBothDatabases(
  `with ${POSTS} posts every statement looks at a bounded number of rows`,
  (dialect) => {
    let app: TestApp;
    let blog: LargeBlog;
    let media: Media;
    let recorded: { db: TestApp['db']; recording: Recording };
    let user: ScreenArguments['user'];
    let metrics: Metrics;
    beforeAll(async () => {
      app = await createTestApp({ dialect });
      const texts = Array.from({ length: PICTURES }, (_, number) => {
        const path = `2026/11/${String(number).padStart(32, '0')}`;
        return `<p>A boat came in.</p><img src="/uploads/${path}.jpg" srcset="/uploads/${path}-640.webp 640w">`;
      });
      blog = await insertLargeBlog(app, { posts: POSTS, texts });
      media = await createMedia(app, { path: `2026/11/${'7'.padStart(32, '0')}.jpg` });
      const { id, email, username, displayName } = await createUser(app);
      user = { id, email, username, displayName, role: 'administrator', language: '', sessionId: 'session' };
      // The index exists and lacks nothing, as far as a trigger can know.
      await app.search.createIndex();
      const details = (await app.search.describe())!.id;
      await app.db.lease.create({
        data: { name: 'search-drain', holder: '', expiresAt: new Date(0), details },
      });
      metrics = createMetrics(app, () => ({ pages: 0, bytes: 0 }));
      recorded = recordDatabase(app.variables.DATABASE_URL!, (statement) =>
        metrics.countStatement(statement),
      );
      // A busy machine takes minutes for the posts.
    }, 900_000);
    afterAll(async () => {
      await recorded.db.$disconnect();
      await app.close();
    });

    const page =
      (loader: LoaderFunction, path: string, params: Record<string, string> = {}) =>
      () =>
        loader({
          request: new Request(`https://blog.example.org${path}`),
          params,
          context: { app: { ...app, db: recorded.db } },
        });
    const screen =
      (load: (args: ScreenArguments) => Promise<object>, query = '') =>
      () =>
        load({
          app: { ...app, db: recorded.db },
          request: new Request(`https://blog.example.org/admin${query}`),
          params: {},
          user,
          address: '127.0.0.1',
          adminContext: {
            adminPath: 'admin',
            siteTitle: '',
            siteUrl: '',
            now: new Date(),
            timeZone: 'Europe/Berlin',
            language: 'en',
            user: null,
            screens: [],
            menu: [],
          },
        });
    const deep = Math.floor(POSTS / 100);
    const requests: [name: string, ask: () => unknown][] = [
      ['a post', () => page(post, `/posts/${blog.slugs[500]}`, { slug: blog.slugs[500]! })()],
      [
        'the post with the title of an unknown address',
        () => findNamedPost({ db: recorded.db }, '/2024/05/boats-at-dawn'),
      ],
      ['home', page(home, '/')],
      ['home, deep', page(home, `/?page=${POSTS / 20}`)],
      ['an author', page(author, '/authors/writer-1', { slug: 'writer-1' })],
      ['a tag', page(tag, '/tags/tag-3', { slug: 'tag-3' })],
      ['a tag, deep', page(tag, `/tags/tag-3?page=${(POSTS * 3) / 1_000}`, { slug: 'tag-3' })],
      ['a category', page(category, '/categories/category-3', { slug: 'category-3' })],
      [
        'a category, deep',
        page(category, `/categories/category-3?page=${POSTS / 200}`, { slug: 'category-3' }),
      ],
      ['the archive', page(archive, '/archive')],
      ['the archive, in the middle', page(archive, `/archive?page=${deep / 2}`)],
      ['the archive, last page', page(archive, `/archive?page=${deep}`)],
      ['tags', page(tags, '/tags')],
      ['categories', page(categories, '/categories')],
      ['RSS', page(rss, '/rss.xml')],
      ['Atom', page(atom, '/atom.xml')],
      ['JSON feed', page(jsonFeed, '/feed.json')],
      ["a tag's feed", page(tagFeed, '/tags/tag-3/rss.xml', { slug: 'tag-3' })],
      ["a category's feed", page(categoryFeed, '/categories/category-3/rss.xml', { slug: 'category-3' })],
      ['the sitemap', page(sitemap, '/sitemap.xml')],
      ['the last part of the sitemap', page(sitemapPart, '/sitemaps/2.xml', { file: '2.xml' })],
      ['search', page(search, '/search?q=boats&tag=tag-3')],
      ['the dashboard', screen(loadDashboard)],
      ['the list of posts', screen(loadPosts)],
      ['the list of posts, searched', screen(loadPosts, '?q=boats+7')],
      ['the list of posts, by publication', screen(loadPosts, '?sort=published')],
      ['the list of posts, by title', screen(loadPosts, '?sort=title')],
      ['the list of posts in a state', screen(loadPosts, '?status=published')],
      ['the list of an author', () => screen(loadPosts, `?author=${blog.authorIds[1]}`)()],
      ['the list of a category', screen(loadPosts, '?category=category-003')],
      ['the list of a tag', screen(loadPosts, '?tag=tag-003')],
      [
        'a deep page of the list of posts',
        () =>
          screen(
            loadPosts,
            `?after=${encodeURIComponent(JSON.stringify([new Date(app.clock.now().getTime() - 5e10).toISOString(), blog.ids[POSTS / 2]]))}`,
          )(),
      ],
      ['the calendar', screen(loadCalendar)],
      ['the calendar of a day', screen(loadCalendar, '?day=2026-05-04')],
      ['two moments compared', () => compare(app, recorded.db)],
      ['the form of a new post, with its templates', screen(loadNewPost)],
      ['the screen of tags', screen(tagsScreen.load)],
      [
        'the uses of a picture',
        async () => {
          expect(await listMediaUses(recorded, media)).toHaveLength(POSTS / PICTURES);
          await listEmbedsWith(recorded, media);
        },
      ],
      [
        'some uses of a picture',
        async () => {
          const { uses, isCut } = await listSomeMediaUses(recorded, media, 10);
          expect([uses.length, isCut]).toEqual([10, POSTS / PICTURES > 10]);
        },
      ],
      ['readiness', () => readReadiness({ ...app, db: recorded.db })],
      ['metrics', () => createMetrics({ ...app, db: recorded.db }, () => ({ pages: 0, bytes: 0 })).text()],
      ['a trigger with nothing due', () => publishDue({ ...app, db: recorded.db }, 'command')],
      ['a save', () => save(app, recorded.db, blog.ids[700]!)],
    ];

    it.each(requests)('%s', async (_, ask) => {
      recorded.recording.queries.length = 0;
      await ask();
      const { queries } = recorded.recording;
      expect(queries.length).toBeGreaterThan(0);
      expect(await findCostly(app.variables.DATABASE_URL!, queries, limits)).toEqual([]);
    });

    it('the metrics tell how long each statement took: not more than 10 ms, on a quiet machine', async () => {
      const count = async (sample: string) => {
        const name = `dateline_database_statement_duration_seconds_${sample} `;
        const line = (await metrics.text()).split('\n').find((each) => each.startsWith(name));
        return Number(line?.slice(name.length));
      };
      // The first ones are compiled, and their pages read from the disk.
      if (nightly) for (const [, ask] of requests) await ask();
      const [before, within] = [await count('count'), await count('bucket{le="0.01"}')];
      recorded.recording.queries.length = 0;
      for (const [, ask] of requests) await ask();
      const counted = (await count('count')) - before;
      expect(counted).toBeGreaterThanOrEqual(recorded.recording.queries.length);
      const slow = counted - ((await count('bucket{le="0.01"}')) - within);
      expect(slow).toBeGreaterThanOrEqual(0);
      // A pause of the garbage collector counts for the statement that it meets.
      if (nightly) expect(slow / counted).toBeLessThan(0.01);
    });
  },
);

function compare(app: TestApp, db: TestApp['db']) {
  const instant = new Date(app.clock.now().getTime() + 1);
  const reader = { user: { id: '', role: 'administrator' }, timeZone: 'UTC', language: 'en' } as const;
  return compareWithNow({ ...app, db }, { ...app, db }, { instant, ...reader });
}

function save(app: TestApp, db: TestApp['db'], postId: string) {
  const fields = { title: 'Boats again', body: 'Two boats came in.', tags: ['tag 3', 'A new one'] };
  return editPost({ ...app, db }, { postId, intent: 'save', fields, editorId: null });
}
