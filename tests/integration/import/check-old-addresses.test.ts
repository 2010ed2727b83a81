import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkLinks } from '#app/import/checks/links.server.ts';
import { compareSitemap } from '#app/import/checks/sitemap.server.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { editPost, createPost as publishPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';

async function site(app: TestApp) {
  const category = await createCategory(app, { name: 'News', slug: 'news' });
  await createCategory(app, { name: 'Empty', slug: 'empty' });
  const tag = await createTag(app, { name: 'C++', slug: 'c' });
  const author = await createUser(app, { username: 'ada' });
  const post = await createPost(app, {
    slug: 'grüße',
    status: 'published',
    categoryId: category.id,
    tagIds: [tag.id],
    authorId: author.id,
  });
  await createPost(app, { slug: 'secret', status: 'draft' });
  await app.db.redirect.create({
    data: { path: '/2020/01/old', postId: post.id, createdAt: app.clock.now() },
  });
  await mkdir(path.join(app.env.uploadsDir, '2026/01'), { recursive: true });
  await writeFile(path.join(app.env.uploadsDir, '2026/01/a.png'), 'x');
}

/** What a generator's site has at these addresses, and where it is here. */
const generatorAddresses = {
  '/posts/': '/',
  '/blog/page/2': '/',
  '/page2/': '/',
  '/feeds/all.atom.xml': '/atom.xml',
  '/feeds/all.rss.xml': '/rss.xml',
  '/feed/feed.xml': '/rss.xml',
  '/posts/index.xml': '/rss.xml',
  '/blog/atom.xml': '/rss.xml',
  '/tags/c/index.xml': '/tags/c/rss.xml',
  '/categories/news/feed.xml': '/categories/news/rss.xml',
  '/tags/none/index.xml': null,
  '/postscript': null,
};

describeWithOneApp('the comparison with an old sitemap', (getApp) => {
  const same = ['/', '/archive', '/posts/gr%C3%BC%C3%9Fe', '/categories/news', '/tags/c', '/authors/ada'];
  const more = [
    ...['/categories/news/rss.xml', '/categories/news/podcast.xml', '/authors/ada/rss.xml', '/?page=1'],
    ...['/uploads/2026/01/a.png', '/posts/gr%C3%BC%C3%9Fe?x=1', '/search?q=a'],
  ];
  const redirected = ['/2020/01/old', '/2020/01/old/', '/posts/gr%C3%BC%C3%9Fe/'];
  const gone = [
    ...[
      '/posts/secret',
      '/posts/none?x=1',
      '/categories/empty',
      '/authors/nobody',
      '/?p=12',
      '/?page=2',
      '/2020/01/none?a=1&b=2',
    ],
    ...['/uploads/2026/01/b.png', '/uploads/..%2f..%2fetc/passwd', '/posts/%ff', '/admin'],
  ];
  const paths = [...same, ...more, ...redirected, ...gone];
  const locations = paths.map(
    (one) => `<url><loc> https://old.example${one.replaceAll('&', '&amp;')}</loc></url>`,
  );
  let folder: string;
  beforeAll(async () => {
    await site(getApp());
    folder = await folderWith({
      'sitemap.xml': `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.join('')}${locations[0]}</urlset>`,
      'list.txt': `${paths.join('\n')}\n# a remark\n`,
      'windows.txt': Buffer.from(`\uFEFF${paths.join('\r\n')}\r\n`, 'utf16le'),
      'index.xml': '<sitemapindex><sitemap><loc>https://old.example/a.xml</loc></sitemap></sitemapindex>',
      'none.xml': '<urlset></urlset>',
    });
  });

  test.each(['sitemap.xml', 'list.txt', 'windows.txt'])(
    'says of each address in %s that it is the same, redirected or gone',
    async (name) => {
      expect(await compareSitemap(getApp(), path.join(folder, name))).toEqual({
        addresses: paths.length,
        same: same.length + more.length,
        redirected: redirected.length,
        gone,
      });
    },
  );

  test.each(['index.xml', 'none.xml', 'missing.xml'])('refuses %s', async (name) => {
    const compared = compareSitemap(getApp(), path.join(folder, name));
    await expect(compared).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describeWithApp('after a move', (getApp) => {
  test('links and pictures that lead nowhere on this site are listed with their pages', async () => {
    const app = getApp();
    await site(app);
    const body = [
      '[good](/posts/grüße#part) [moved](/2020/01/old/) [own](https://blog.example.org/archive) [here](#x)',
      '[far](https://far.example/none) [mail](mailto:a@far.example)',
      '![there](/uploads/2026/01/a.png) ![gone](/uploads/2026/01/none.png)',
      '[draft](/posts/secret) [dead](https://blog.example.org/a?b=1&c=2) [relative](other.md)',
      '[first page](/?page=1) [no page](/archive?page=99) [number](/?p=99)',
    ].join('\n\n');
    const fields = { title: 'Links', slug: 'links', body };
    const { id } = await publishPost(app, { intent: 'publish', fields, editorId: null });
    await createPost(app, { slug: 'unpublished', body: '[x](/nowhere)', status: 'draft' });
    expect(await checkLinks(app)).toEqual({
      checked: 12,
      dead: [
        '/uploads/2026/01/none.png',
        '/posts/secret',
        'https://blog.example.org/a?b=1&c=2',
        'other.md',
        '/archive?page=99',
        '/?p=99',
      ].map((link) => ({ page: '/posts/links', link })),
    });
    await editPost(app, { postId: id, intent: 'save', fields: { body: 'x' }, editorId: null });
    await changeSettings(app, { navigation: 'Old | /nowhere' });
    expect(await checkLinks(app)).toEqual({ checked: 1, dead: [{ page: '/', link: '/nowhere' }] });
  });

  test('a link to the list of posts is good where the list is, where it was and in another language', async () => {
    const app = getApp();
    const home = await createPost(app, {
      type: 'page',
      slug: '/welcome',
      listedIn: 'pages',
      status: 'published',
    });
    await changeSettings(app, { posts_path: '/articles' });
    await changeSettings(app, { posts_path: '/', home_page: home.id, site_languages: 'de' });
    const live = ['/blog', '/articles', '/welcome', '/de', '/de/archive', '/de/rss.xml', '/sitemap.xml'];
    const dead = ['/articles/none', '/de/nothing', '/sitemaps/99.xml', '/categories/none/podcast.xml'];
    const navigation = [...live, ...dead].map((address) => `X | ${address}`).join('\n');
    await changeSettings(app, { navigation });
    expect(await checkLinks(app)).toEqual({
      checked: live.length + dead.length,
      dead: dead.map((link) => ({ page: '/', link })),
    });
  });

  test('lists and feeds of a generator’s site lead to those here', async () => {
    const app = getApp();
    await site(app);
    const where = (address: string) => findRedirect(app, address);
    expect(await where('/posts')).toBeNull();
    const post = await app.db.post.findFirstOrThrow({ where: { status: 'published' } });
    const item = { source: 'markdown', itemKey: 'a.md', contentHash: 'x', postId: post.id };
    const now = app.clock.now();
    await app.db.importItem.create({ data: { ...item, createdAt: now, updatedAt: now } });
    for (const [address, target] of Object.entries(generatorAddresses))
      expect(await where(address), address).toBe(target);
  });
});
