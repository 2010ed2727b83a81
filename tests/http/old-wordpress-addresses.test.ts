import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { wxrFile } from '#tests/support/wxr.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp();
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const answer = async (address: string) => {
  const response = await fetch(`${server.url}${address}`, { redirect: 'manual' });
  // A browser that kept a redirect for ever would not see where the post is later.
  expect(response.headers.get('cache-control'), address).toBe('public, no-cache');
  return `${response.status} ${response.headers.get('location') ?? ''}`.trim();
};

const uploads = 'https://old.example/wp-content/uploads';
const category = { domain: 'category', slug: 'news', name: 'News' };
const child = { domain: 'category', slug: 'local', name: 'Local' };
const comment =
  '<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>Grace</wp:comment_author><wp:comment_date_gmt>2020-01-03 00:00:00</wp:comment_date_gmt><wp:comment_content>Well said</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>';

/** The site that is imported: posts, drafts, pages below pages, attachments and files of all kinds. */
function exportOfWordPress(): string {
  const newsPosts = Array.from({ length: 12 }, (_, index) => ({
    ...{ id: 300 + index, author: 'ada', terms: [category], dateGmt: '2021-05-06 00:00:00' },
  }));
  return wxrFile(
    [
      { id: 207, slug: 'hello', author: 'ada', terms: [category], raw: comment },
      { id: 208, slug: 'secret', status: 'draft' },
      {
        id: 4,
        slug: 'team',
        type: 'page',
        raw: '<wp:post_parent>3</wp:post_parent>',
        link: 'https://old.example/about/team/',
      },
      {
        id: 3,
        slug: 'about',
        type: 'page',
        dateGmt: '0000-00-00 00:00:00',
        link: 'https://old.example/about/',
      },
      {
        ...{ id: 50, type: 'attachment', status: 'inherit', link: 'https://old.example/?attachment_id=50' },
        ...{ attachmentUrl: 'https://old.example/a.png', raw: '<wp:post_parent>207</wp:post_parent>' },
      },
      ...['2020/01/boat', '2020/01/two', '2021/01/two', '2020/01/same', '2020/02/same'].map(
        (name, index) => ({
          ...{ id: 60 + index, type: 'attachment', status: 'inherit' },
          attachmentUrl: `${uploads}/${name}.jpg`,
        }),
      ),
      // WordPress keeps a large picture as `-scaled`; two files share a name, and a post of one's month shows it.
      {
        ...{ id: 70, type: 'attachment', status: 'inherit' },
        attachmentUrl: `${uploads}/2020/02/large-scaled.jpg`,
      },
      ...['2020/01/two', '2021/01/two', '2020/01/same', '2020/02/same'].map((name, index) => ({
        ...{
          id: 71 + index,
          slug: `shows-${index}`,
          dateGmt: `${name.slice(0, 7).replace('/', '-')}-10 00:00:00`,
        },
        content: name.endsWith('same') && index === 2 ? 'No picture' : `<img src="${uploads}/${name}.jpg">`,
      })),
      { id: 401, slug: 'below', terms: [child, { domain: 'post_tag', slug: 'rust', name: 'Rust' }] },
      ...newsPosts,
    ],
    {
      authors: [{ login: 'ada', name: 'Ada' }],
      categories: [
        { slug: 'news', name: 'News', id: 3 },
        { slug: 'local', name: 'Local', id: 4, parent: 'news' },
      ],
    },
  );
}

async function importWordPress(): Promise<void> {
  const folder = await folderWith({
    'x.xml': exportOfWordPress(),
    'media/2020/01/boat.jpg': await picture(1),
    'media/2020/01/two.jpg': await picture(2),
    'media/2021/01/two.jpg': await picture(3),
    'media/2020/01/same.jpg': await picture(4),
    'media/2020/02/same.jpg': await picture(5),
    'media/2020/02/large-scaled.jpg': await picture(6),
  });
  const imported = await runCommand(
    [
      ...['content:import', '--from', 'wordpress', '--input', path.join(folder, 'x.xml')],
      ...['--permalink', '/%postname%.html', '--media', path.join(folder, 'media')],
    ],
    { env: app.variables },
  );
  expect(imported.json()).toMatchObject({ imported: { posts: 19, pages: 2, comments: 1 }, skipped: [] });
}

/** Addresses whose answer does not depend on where a file is stored. */
const expectedAnswers: Record<string, Record<string, string>> = {
  'numbers and names in the query': {
    '/?p=207': '301 /posts/hello',
    '/?p=208': '200',
    '/?p=9': '200',
    '/?page_id=3': '301 /about',
    '/?page_id=4': '301 /about/team',
    '/?feed=rss2': '301 /rss.xml',
    '/?feed=atom': '301 /atom.xml',
    '/?cat=3': '301 /categories/news',
    '/?cat=4': '301 /categories/local',
    '/?cat=9': '200',
    '/?category_name=news': '301 /categories/news',
    '/?tag=rust': '301 /tags/rust',
    '/?author_name=ada': '301 /authors/ada',
    '/?author=1': '301 /authors/ada',
    '/?author=2': '200',
    '/?attachment_id=50': '301 /posts/hello',
    '/?attachment_id=51': '200',
    '/?s=two%20words': '301 /search?q=two%20words',
  },
  'sitemaps of WordPress and its plugins': {
    '/wp-sitemap.xml': '301 /sitemap.xml',
    '/wp-sitemap-posts-post-1.xml': '301 /sitemap.xml',
    '/sitemap_index.xml': '301 /sitemap.xml',
    '/post-sitemap.xml': '301 /sitemap.xml',
  },
  feeds: {
    '/feed/': '301 /rss.xml',
    '/comments/feed/': '301 /rss.xml',
    '/comments/feed/atom/': '301 /atom.xml',
    '/rss/': '301 /rss.xml',
    '/feed/atom/': '301 /atom.xml',
  },
  'authors, dates and pages of the list': {
    '/author/ada/': '301 /authors/ada',
    '/author/ada/feed/': '301 /authors/ada/rss.xml',
    '/author/nobody/': '404',
    '/2020/': '301 /archive#y2020',
    '/2020/01/': '301 /archive#y2020',
    '/1999/': '404',
    '/page/2/': '301 /?page=2',
    '/page/9/': '301 /',
  },
  'posts under their dates and own scheme': {
    '/2020/01/hello/': '301 /posts/hello',
    '/hello.html': '301 /posts/hello',
    '/2020/01/hello/feed/': '301 /posts/hello',
    '/2020/01/hello/amp/': '301 /posts/hello',
  },
  'categories, their feeds and pages': {
    '/category/news/': '301 /categories/news',
    '/category/news/feed/': '301 /categories/news/rss.xml',
    '/category/news/local/': '301 /categories/local',
    '/category/local/': '301 /categories/local',
    '/category/local/feed/': '301 /categories/local/rss.xml',
    '/category/news/page/2/': '301 /categories/news?page=2',
  },
};

const answersTo = async (addresses: string[]) =>
  Object.fromEntries(
    await Promise.all(addresses.map(async (address) => [address, await answer(address)] as const)),
  );

describe('addresses of WordPress', () => {
  it('mean nothing before such a site was imported', async () => {
    const unknown = ['/feed/', '/2020/', '/author/ada/', '/page/2/', '/wp-sitemap.xml'];
    for (const address of [...unknown, '/wp-content/uploads/2020/01/boat.jpg'])
      expect(await answer(address), address).toBe('404');
    for (const address of ['/?p=207', '/?s=boat']) expect(await answer(address), address).toBe('200');
  });

  describe('once such a site was imported', () => {
    beforeAll(importWordPress);

    it.each(Object.entries(expectedAnswers))('lead to the right thing: %s', async (_name, expected) => {
      expect(await answersTo(Object.keys(expected))).toEqual(expected);
    });

    it('of files lead to the file of their month, whatever its size', async () => {
      const { path: stored } = await app.db.media.findFirstOrThrow({ where: { originalName: 'boat.jpg' } });
      const boat = `/uploads/${stored}`;
      const pictureOf = async (slug: string) => {
        const { body } = await app.db.post.findUniqueOrThrow({ where: { slug } });
        return /\((.*)\)/.exec(body)![1]!;
      };
      const expected: Record<string, string> = {
        '/wp-content/uploads/2020/01/boat.jpg': `301 ${boat}`,
        '/wp-content/uploads/2020/01/boat-300x200.jpg': `301 ${boat}`,
        '/wp-content/uploads/2020/02/large-1024x683.jpg': expect.stringMatching(
          /^301 \/uploads\/.*png$/,
        ) as string,
        '/wp-content/uploads/2020/01/two.jpg': `301 ${await pictureOf('shows-0')}`,
        '/wp-content/uploads/2021/01/two-300x200.jpg': `301 ${await pictureOf('shows-1')}`,
        '/wp-content/uploads/2020/02/same.jpg': `301 ${await pictureOf('shows-3')}`,
        '/wp-content/uploads/2020/01/same.jpg': '404',
        '/wp-content/uploads/2019/01/two.jpg': '404',
        '/wp-content/uploads/2020/01/none.jpg': '404',
      };
      expect(await answersTo(Object.keys(expected))).toEqual(expected);
    });

    it('lead to a post with its comments', async () => {
      const page = await (await fetch(`${server.url}/posts/hello`)).text();
      expect(page).toMatch(/1 comment[\s\S]*Grace[\s\S]*Well said/);
    });
  });
});
