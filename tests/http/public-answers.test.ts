// What the commands that check links say of an address is what the server answers there.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PublicAddresses, type PublicAnswer } from '#app/import/checks/links.server.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from '#tests/support/factories.ts';
import type { Fields } from '#tests/support/http-client.ts';
import { jsonForms, readerOf } from '#tests/support/json-forms.ts';
import { openSite, type Site } from '#tests/support/site.ts';

let site: Site;
const changeSettings = (fields: Fields) => jsonForms(site).settings('site', fields);

beforeAll(async () => {
  site = await openSite();
  const { app } = site;
  const [news, english, german] = await Promise.all(
    ['news', 'english', 'german'].map((slug) => createCategory(app, { slug, name: slug })),
  );
  await createCategory(app, { slug: 'empty' });
  const tag = await createTag(app, { slug: 'boats', name: 'Boats' });
  const author = await createUser(app, { username: 'bob' });
  const common = { status: 'published', authorId: author.id, tagIds: [tag.id] };
  await createPost(app, { ...common, slug: 'grüße', categoryId: news!.id });
  await createPost(app, { ...common, slug: 'hallo', categoryId: news!.id, language: 'de', listedIn: 'de' });
  await createPost(app, {
    ...common,
    ...{ slug: 'nur', categoryId: german!.id, language: 'de', listedIn: 'de' },
  });
  await createPost(app, { ...common, slug: 'one', categoryId: english!.id });
  await createPost(app, { slug: 'secret' });
  for (const [oldPath, categoryId] of [
    ['/categories/old', news!.id],
    ['/2020/01/old', news!.id],
    ['/categories/old-english', english!.id],
    ['/categories/old-german', german!.id],
  ] as const)
    await app.db.redirect.create({ data: { path: oldPath, categoryId, createdAt: app.clock.now() } });
  await createMedia(app, { path: '2026/01/trashed.png', trashedAt: app.clock.now() });
  await mkdir(path.join(app.env.uploadsDir, '2026/01'), { recursive: true });
  for (const name of ['a.png', 'trashed.png'])
    await writeFile(path.join(app.env.uploadsDir, '2026/01', name), 'x');
  // Two files of the sitemap.
  for (const firstPostId of ['', 'b'])
    await app.db.sitemapPortion.upsert({
      where: { sitemap_firstPostId: { sitemap: '', firstPostId } },
      create: { sitemap: '', firstPostId, entries: 40_000, stamp: 1 },
      update: { entries: 40_000 },
    });
  const { page } = jsonForms(site);
  await page('About');
  const home = await page('Welcome');
  expect((await changeSettings({ posts_path: '/articles' })).status).toBe(200);
  const settings = { posts_path: '/', home_page: home, site_languages: 'de', posts_per_page: '1' };
  expect((await changeSettings(settings)).status).toBe(200);
});

async function expectSame(addresses: Record<PublicAnswer, string[]>) {
  const expected = Object.entries(addresses).flatMap(([answer, all]) =>
    all.map((address) => `${address} ${answer}`),
  );
  const publicAddresses = new PublicAddresses(site.app);
  const called: string[] = [];
  const served: string[] = [];
  for (const address of Object.values(addresses).flat()) {
    const url = new URL(address, 'http://site.invalid');
    called.push(`${address} ${await publicAddresses.answerAt(url.pathname, url.search)}`);
    served.push(`${address} ${await servedAt(address)}`);
  }
  expect(called).toEqual(expected);
  expect(served).toEqual(expected);
}

/** What a browser ends at: a redirect to nothing is nothing. */
async function servedAt(address: string): Promise<PublicAnswer | number> {
  const { status, location } = await readerOf(site)(address);
  if (status === 200) return 'found';
  if (status === 404) return 'gone';
  if (location === undefined) return status;
  return (await servedAt(location)) === 'gone' ? 'gone' : 'moved';
}

describe('the answer of a public address is the same by command and over HTTP', () => {
  it('on a site with a page as its home and a second language', () =>
    expectSame({
      found: [
        ...['/', '/?utm_source=x', '/blog', '/blog?page=1', '/about', '/archive', '/search', '/search?q=a'],
        ...['/categories', '/tags', '/rss.xml', '/atom.xml', '/feed.json', '/sitemap.xml', '/robots.txt'],
        ...['/favicon.svg', '/posts/gr%C3%BC%C3%9Fe', '/posts/one?x=1', '/uploads/2026/01/a.png'],
        ...['/authors/bob', '/authors/bob/rss.xml', '/tags/boats', '/tags/boats/rss.xml'],
        ...['/categories/news', '/categories/news/rss.xml', '/categories/news/podcast.xml'],
        ...['/sitemaps/1.xml', '/sitemaps/2.xml'],
        ...['/de', '/de/archive', '/de/rss.xml', '/de/atom.xml', '/de/feed.json', '/de/sitemap.xml'],
        ...['/de/search?q=a', '/de/tags', '/de/categories', '/de/categories/news', '/de/tags/boats/rss.xml'],
        ...['/de/categories/news/podcast.xml', '/de/authors/bob', '/de/authors/bob/rss.xml'],
        ...['/tags/boats?page=1', '/blog?page=', '/de?page=1', '/posts/one?page=9', '/about?page=9'],
      ],
      moved: [
        ...['/welcome', '/articles', '/articles/', '/?page=2', '/blog/', '/about/', '/archive/', '/rss.xml/'],
        ...['/2020/01/old', '/2020/01/old/', '/2020/01/old?x=1', '/posts/one/'],
        ...['/categories/old', '/categories/old/rss.xml', '/categories/old/podcast.xml'],
        ...['/de/', '/DE/archive', '/de/archive/', '/de/posts/hallo', '/de/about', '/de/categories/english'],
        ...['/de/categories/old', '/de/categories/old/rss.xml', '/de/categories/old-english'],
        ...['/de/categories/old-german', '/de/categories/old-german/podcast.xml'],
      ],
      gone: [
        ...[
          '/blog?page=99',
          '/?page=99',
          '/blog/?page=99',
          '/blog?page=0',
          '/archive?page=2',
          '/archive/?page=x',
        ],
        ...['/tags/boats?page=99', '/categories/news?page=99', '/authors/bob?page=99', '/articles?page=99'],
        ...['/de?page=99', '/de/tags/boats?page=99', '/de/archive?page=2', '/DE/archive?page=2'],
        ...['/nothing', '/nothing/', '/nothing?page=2', '/posts/secret', '/posts/none?x=1', '/blog/none'],
        ...['/authors/none', '/authors/none/rss.xml', '/tags/none/rss.xml', '/tags/boats/podcast.xml'],
        ...['/categories/empty', '/categories/none/rss.xml', '/categories/empty/podcast.xml'],
        ...['/categories/none/podcast.xml', '/sitemaps/3.xml', '/sitemaps/99.xml', '/sitemaps/x.xml'],
        ...[
          '/uploads/2026/01/none.png',
          '/uploads/2026/01/trashed.png',
          '/favicon.ico',
          '/-/posts',
          '/-/page',
        ],
        ...['/categories/old-german', '/categories/old-german/rss.xml'],
        ...['/de/nothing', '/de/posts/none', '/de/blog', '/de/sitemaps/1.xml', '/de/categories/none'],
        ...[
          '/de/categories/english/rss.xml',
          '/de/categories/old-english/rss.xml',
          '/de/authors/none',
          '/fr',
        ],
      ],
    }));

  it('on a site whose list of posts has an address of its own', async () => {
    const settings = { posts_path: '/stories', home_page: '', site_languages: '' };
    expect((await changeSettings(settings)).status).toBe(200);
    await expectSame({
      found: ['/stories', '/stories?page=1', '/welcome'],
      moved: ['/', '/?utm_source=x', '/?page=1', '/blog', '/articles', '/stories/'],
      gone: ['/de', '/de/archive', '/de/rss.xml'],
    });
  });
});
