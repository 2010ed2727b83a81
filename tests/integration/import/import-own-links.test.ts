import path from 'node:path';
import { expect, test } from 'vitest';
import { exportContent } from '#app/export/export-content.server.ts';
import { exportTargetNames } from '#app/export/targets.ts';
import { checkLinks } from '#app/import/checks/links.server.ts';
import { type ImportFromOptions, importFrom } from '#app/import/run/import.server.ts';
import { PAGES_LIST } from '#app/posts/lists/scope.ts';
import { createTestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { createPost } from '#tests/support/factories.ts';
import { importedFolder } from '#tests/support/imported-folder.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { blogUrl, wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

const wordpress: WxrItemOptions[] = [
  {
    id: 1,
    slug: 'first',
    content: [
      `<a href="${blogUrl}/2020/01/second/#part">a</a> <a href="http://www.old.example/?p=2">b</a> <a href="/team/us/">c</a>`,
      `<a href="${blogUrl}/2020/01/hidden/">d</a> <a href="https://else.example/2020/01/second/">e</a> <a href="${blogUrl}/">f</a>`,
      `<img src="${blogUrl}/wp-content/uploads/a-300x200.png" alt="A"> <img src="${blogUrl}/wp-content/uploads/b-300x200.png" alt="B"> <img src="${blogUrl}/wp-content/uploads/c-150x150.png" alt="C">`,
      `<code>${blogUrl}/2020/01/second/</code>`,
      `${blogUrl}/2020/01/second/`,
    ].join('\n\n'),
  },
  { id: 2, slug: 'second', content: 'Two' },
  { id: 3, slug: 'hidden', status: 'draft', content: 'Three' },
  // A page before the page above it.
  {
    ...{ id: 5, slug: 'us', type: 'page', link: `${blogUrl}/team/us/`, content: 'Us' },
    raw: '<wp:post_parent>6</wp:post_parent>',
  },
  { id: 6, slug: 'team', type: 'page', link: `${blogUrl}/team/`, content: 'Team' },
  ...['a.png', 'b-scaled.png'].map((file, index) => ({
    ...{ id: 10 + index, type: 'attachment', status: 'inherit' },
    attachmentUrl: `${blogUrl}/wp-content/uploads/${file}`,
  })),
];

test('links between posts of WordPress lead to the posts, and of a picture the whole one is taken', async () => {
  const files = {
    'export.xml': wxrFile(wordpress),
    'uploads/a.png': await picture(1),
    'uploads/a-300x200.png': await picture(2),
    'uploads/b.png': await picture(3),
    'uploads/b-scaled.png': await picture(4),
    'uploads/b-300x200.png': await picture(5),
    'uploads/c-150x150.png': await picture(6),
  };
  const options = { from: 'wordpress', below: 'export.xml' } as const;
  const planned = await importedFolder(files, { ...options, dryRun: true });
  const { result, posts } = await importedFolder(files, options);
  expect(result).toEqual(planned.result);
  const { body } = posts.first!;
  expect(body).toContain('[a](/posts/second#part) [b](/posts/second) [c](/team/us)');
  expect(body).toContain(
    `[d](${blogUrl}/2020/01/hidden/) [e](https://else.example/2020/01/second/) [f](${blogUrl}/)`,
  );
  expect(body).toContain(`\`${blogUrl}/2020/01/second/\``);
  expect(body).toContain(`[${blogUrl}/2020/01/second/](/posts/second)`);
  // Neither attachment comes a second time as a file that no post names.
  expect(result.imported).toMatchObject({ posts: 3, pages: 2, media: 3 });
});

test('links lead to pages whose address the site has itself, and to those without a letter in theirs', async () => {
  const page = { type: 'page', content: 'x' };
  const { posts, result } = await importedFolder(
    {
      'export.xml': wxrFile([
        {
          id: 1,
          slug: 'one',
          content: '<a href="/2024/">a</a> <a href="/search/">b</a> <a href="/?p=4">c</a>',
        },
        { ...page, id: 2, slug: '2024', link: `${blogUrl}/2024/` },
        { ...page, id: 3, slug: 'search', link: `${blogUrl}/search/` },
        { ...page, id: 4, slug: 'below', link: `${blogUrl}/x/`, raw: '<wp:post_parent>5</wp:post_parent>' },
        { ...page, id: 5, slug: '%f0%9f%98%80', link: `${blogUrl}/%f0%9f%98%80/` },
      ]),
    },
    { from: 'wordpress', below: 'export.xml' },
  );
  expect(posts.one!.body).toBe('[a](/2024) [b](/search-2) [c](/post-5/below)');
  expect(Object.keys(posts).sort()).toEqual(['/2024', '/post-5', '/post-5/below', '/search-2', 'one']);
  expect(result.skipped).toEqual([]);
});

test('links between files lead to such pages as well', async () => {
  const markdown = await importedFolder({
    'one.md': '---\ntitle: One\ndate: 2020-01-02\n---\n[a](2024.md) [b](archive.md) [c](!!!.md)',
    '2024.md': '---\ntype: page\n---\nx',
    'archive.md': '---\ntype: page\n---\nx',
    '!!!.md': '---\ntype: page\n---\nx',
  });
  expect(markdown.posts.one!.body).toBe('[a](/2024) [b](/archive-2) [c](/page)');
  expect(Object.keys(markdown.posts).sort()).toEqual(['/2024', '/archive-2', '/page', 'one']);
});

test('relative links of WordPress lead to what they led to, also where the post or page moves', async () => {
  const link = (address: string) => `<a href="${address}">x</a>`;
  const page = { type: 'page', content: 'x' };
  const { posts } = await importedFolder(
    {
      'export.xml': wxrFile([
        {
          id: 1,
          slug: 'one',
          content: ['../two/#три', '../../../file.zip', 'www.else.example', '#a'].map(link).join(' '),
        },
        {
          id: 2,
          slug: 'two',
          content: ['/index.php?p=1', `${blogUrl}/2020/01/one/#три`].map(link).join(' '),
        },
        { ...page, id: 3, slug: 'team', link: `${blogUrl}/team/`, content: link('us/') },
        {
          ...page,
          id: 4,
          slug: 'us',
          link: `${blogUrl}/team/us/`,
          raw: '<wp:post_parent>3</wp:post_parent>',
        },
      ]),
    },
    { from: 'wordpress', below: 'export.xml' },
  );
  expect(posts.one!.body).toBe(
    '[x](/posts/two#%D1%82%D1%80%D0%B8) [x](/file.zip) [x](www.else.example) [x](#a)',
  );
  expect(posts.two!.body).toBe('[x](/posts/one) [x](/posts/one#%D1%82%D1%80%D0%B8)');
  expect(posts['/team']!.body).toBe('[x](/team/us)');
});

test('numbers of posts are found below the path of a blog in a folder', async () => {
  const { posts } = await importedFolder(
    {
      'export.xml': wxrFile(
        [
          { id: 1, slug: 'one', content: '<a href="https://old.example/blog/?p=2">x</a>' },
          { id: 2, slug: 'two', link: 'https://old.example/blog/two/' },
        ],
        { blogUrl: 'https://old.example/blog' },
      ),
    },
    { from: 'wordpress', below: 'export.xml' },
  );
  expect(posts.one!.body).toBe('[x](/posts/two)');
});

test('relative links of Markdown lead to the posts as they did at the old addresses', async () => {
  const { posts } = await importedFolder({
    'a/one.md': '---\ndate: 2020-01-02\npath: /2020/one/\n---\n[a](../two/) [b](../three/#c) [c](../none/)',
    'a/two.md': '---\ndate: 2020-01-02\n---\nx',
    'b/three.md': '---\ndate: 2020-01-02\npath: /2020/three/\n---\n[a](../one)',
  });
  expect(posts.one!.body).toBe('[a](/posts/two) [b](/posts/three#c) [c](../none/)');
  expect(posts.three!.body).toBe('[a](/posts/one)');
});

test('links between posts of Ghost lead to the posts', async () => {
  const post = { status: 'published', visibility: 'public', published_at: '2020-01-02T03:04:05.000Z' };
  const ghost = await importedFolder(
    {
      'ghost.json': JSON.stringify({
        data: {
          posts: [
            {
              ...{ ...post, id: '1', slug: 'one', title: 'One', type: 'post' },
              html: '<p><a href="__GHOST_URL__/two/">a</a> <a href="__GHOST_URL__/about/#us">b</a> <a href="/none/">c</a></p>',
            },
            { ...post, id: '2', slug: 'two', title: 'Two', type: 'post', html: '<p>Two</p>' },
            { ...post, id: '3', slug: 'about', title: 'About', type: 'page', html: '<p>Us</p>' },
          ],
        },
      }),
    },
    { from: 'ghost', below: 'ghost.json' },
  );
  expect(ghost.posts.one!.body).toBe('[a](/posts/two) [b](/about#us) [c](/none/)');
});

test('links between posts of Substack lead to the posts, but not to paid ones or to other blogs', async () => {
  const row = (id: string, audience = 'everyone') =>
    `${id},2023-04-05T06:07:08.000Z,true,newsletter,${audience},T,,`;
  const substack = await importedFolder(
    {
      'posts.csv': `post_id,post_date,is_published,type,audience,title,subtitle,podcast_url\n${row('1.one')}\n${row('2.two')}\n${row('3.paid', 'only_paid')}\n`,
      'posts/1.one.html':
        '<p><a href="https://ada.substack.com/p/two?utm_source=x">a</a> <a href="https://ada.substack.com/p/paid">b</a> <a href="https://eve.substack.com/p/two">c</a></p>',
      'posts/2.two.html': '<p><a href="https://ada.substack.com/p/one">a</a></p>',
      'posts/3.paid.html': '<p>Paid</p>',
    },
    { from: 'substack' },
  );
  expect(substack.posts.one!.body).toBe(
    '[a](/posts/two) [b](https://ada.substack.com/p/paid) [c](https://eve.substack.com/p/two)',
  );
});

test('links between posts of Medium lead to the posts', async () => {
  const story = (title: string, href: string, body: string) =>
    `<html><head><title>${title}</title></head><body><article><header><h1 class="p-name">${title}</h1></header><section data-field="body" class="e-content"><p>${body}</p></section><footer><time class="dt-published" datetime="2019-05-06T07:08:09.000Z"></time><a href="${href}" class="p-canonical">Canonical link</a></footer></article></body></html>`;
  const medium = await importedFolder(
    {
      'posts/2019-05-06_One-aaaaaaaaaaa1.html': story(
        'One',
        'https://medium.com/@ada/one-aaaaaaaaaaa1',
        '<a href="https://medium.com/@ada/two-and-more-aaaaaaaaaaa2?source=x#b">a</a> <a href="https://medium.com/p/aaaaaaaaaaa2">b</a> <a href="https://medium.com/@eve/x-bbbbbbbbbbb1">c</a>',
      ),
      'posts/2019-05-07_Two-aaaaaaaaaaa2.html': story(
        'Two &amp; more',
        'https://blog.example/two-and-more-aaaaaaaaaaa2',
        'x',
      ),
    },
    { from: 'medium' },
  );
  expect(medium.posts.one!.body).toBe(
    '[a](/posts/two-and-more#b) [b](/posts/two-and-more) [c](https://medium.com/@eve/x-bbbbbbbbbbb1)',
  );
});

const namedAlike = {
  'wordpress.xml': wxrFile([
    { id: 1, slug: 'one', content: `<a href="${blogUrl}/2020/01/two/">a</a>` },
    { id: 2, slug: 'two', content: `<a href="${blogUrl}/?p=1">a</a>` },
  ]),
  'markdown/one.md': '---\ndate: 2020-01-01\n---\n\n# One\n\n[a](two.md)\n',
  'markdown/two.md': '---\ndate: 2020-01-01\n---\n\n# Two\n\n[a](one.md)\n',
};

test('a link leads to the imported post, not to another one that has its slug already', async () => {
  const app = await createTestApp();
  await createPost(app, { title: 'Somebody else', slug: 'two', status: 'published' });
  const folder = await folderWith(namedAlike);
  const bodyOf = async (slug: string) => (await app.db.post.findUniqueOrThrow({ where: { slug } })).body;
  const wordpress = { from: 'wordpress', input: `${folder}/wordpress.xml`, dryRun: false } as const;
  await importFrom(app, wordpress);
  expect(await bodyOf('one')).toBe('[a](/posts/two-2)');
  expect(await bodyOf('two-2')).toBe('[a](/posts/one)');
  // A second run finds its posts where the first one put them.
  expect((await importFrom(app, wordpress)).result).toMatchObject({ unchanged: 2, updated: 0 });
  await importFrom(app, { from: 'markdown', input: `${folder}/markdown`, dryRun: false });
  expect(await bodyOf('one-2')).toContain('[a](/posts/two-3)');
  expect(await bodyOf('two-3')).toContain('[a](/posts/one-2)');
  expect((await checkLinks(app)).dead).toEqual([]);
  await app.close();
});

test.each(exportTargetNames)(
  'a link of an export for %s leads to the exported post, not to another one that has its slug already',
  async (to) => {
    const source = await createTestApp();
    const publishedAt = new Date('2026-01-02T03:04:05Z');
    const published = { status: 'published', publishedAt, contentUpdatedAt: publishedAt } as const;
    const body = `[a](/posts/two?x=1#part) [b](/posts/three/) [c](/about) [d](https://else.example/posts/two)\n\n    /posts/two`;
    const absolute = `[e](${source.env.siteUrl}/posts/two)`;
    await createPost(source, { ...published, slug: 'one', body: `${absolute} ${body}` });
    for (const slug of ['two', 'three']) await createPost(source, { ...published, slug });
    const page = { type: 'page', listedIn: PAGES_LIST } as const;
    await createPost(source, { ...published, ...page, slug: '/about' });
    const outputDir = path.join(await tempFolder(), 'export');
    await exportContent(source, { outputDir, to });
    await source.close();

    const app = await createTestApp();
    await createPost(app, { slug: 'two', status: 'published' });
    await createPost(app, { ...page, slug: '/about', status: 'published' });
    const file = { ghost: 'ghost.json', wordpress: 'wordpress.xml', markdown: '', hugo: '', jekyll: '' }[to];
    const from = to === 'ghost' || to === 'wordpress' ? to : 'markdown';
    await importFrom(app, { from, input: path.join(outputDir, file), dryRun: false });
    const imported = await app.db.post.findUniqueOrThrow({ where: { slug: 'one' } });
    const moved = body.replace('/posts/two?', '/posts/two-2?').replace('/about', '/about-2');
    // Exports for these three name the site that wrote them.
    const namesSite = to === 'hugo' || to === 'jekyll' || to === 'wordpress';
    expect(imported.body).toBe(`${namesSite ? '[e](/posts/two-2)' : absolute} ${moved}`);
    await app.close();
  },
);

test('a tenth is a tenth of all items, files that no post names too', async () => {
  const items: WxrItemOptions[] = [
    ...Array.from({ length: 8 }, (_, index) => ({ id: index + 1, content: 'x' })),
    { id: 9, type: 'product' },
    {
      ...{ id: 10, type: 'attachment', status: 'inherit' },
      attachmentUrl: `${blogUrl}/wp-content/uploads/a.png`,
    },
  ];
  const input = await folderWith({ 'x.xml': wxrFile(items), 'uploads/a.png': await picture(1) });
  const app = await createTestApp();
  const options: ImportFromOptions = { from: 'wordpress', input: `${input}/x.xml`, dryRun: false };
  // The second run counts what the first one brought.
  for (const _ of [1, 2]) expect((await importFrom(app, options)).problems).toEqual([]);
  await app.close();
});
