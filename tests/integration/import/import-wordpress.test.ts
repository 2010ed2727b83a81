import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ImportFromOptions } from '#app/import/run/import.server.ts';
import type { ImportResult } from '#app/import/run/report.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { addFiles, folderWith, picture } from '#tests/support/content-folders.ts';
import { createUser } from '#tests/support/factories.ts';
import { counts, importResult } from '#tests/support/import.ts';
import { attachment, options, rich } from '#tests/support/wordpress-post.ts';
import { blogUrl, wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

const nothing = counts();

async function run(app: TestApp, xml: string | Buffer, options: Partial<ImportFromOptions> = {}) {
  const folder = await folderWith({ 'export.xml': xml });
  return importResult(app, {
    from: 'wordpress',
    input: path.join(folder, 'export.xml'),
    dryRun: false,
    ...options,
  });
}

const postOf = (app: TestApp, slug: string) =>
  app.db.post.findUniqueOrThrow({
    where: { slug },
    include: {
      author: true,
      category: true,
      coverMedia: true,
      redirects: { orderBy: { path: 'asc' } },
      tags: { orderBy: { position: 'asc' }, include: { tag: true } },
    },
  });

const ofEveryKind: WxrItemOptions[] = [
  { id: 1, slug: 'live' },
  { id: 2, slug: 'later', status: 'future', dateGmt: '2030-01-01 00:00:00' },
  {
    id: 3,
    slug: '',
    title: 'An idea',
    status: 'draft',
    dateGmt: '0000-00-00 00:00:00',
    link: `${blogUrl}/?p=3`,
  },
  { id: 4, slug: 'waiting', status: 'pending' },
  { id: 5, slug: 'own', status: 'private' },
  { id: 6, slug: 'locked', password: 'x' },
  { id: 7, slug: 'gone', status: 'trash' },
  { id: 8, slug: 'half', status: 'auto-draft' },
  { id: 9, slug: 'about', type: 'page' },
  { id: 10, slug: 'menu', type: 'nav_menu_item' },
  { id: 11, slug: 'shoe', type: 'product' },
  { id: 12, slug: 'odd', status: 'sold' },
];

describeWithOneApp('a post of WordPress with everything that belongs to it', (getApp) => {
  let result: ImportResult;
  beforeAll(async () => {
    const media = await folderWith({ '2020/01/cat.png': await picture(1) });
    result = await run(getApp(), wxrFile([rich, attachment], options), { media });
  });

  test('is counted, and what is left out or changed is named', () => {
    expect(result).toEqual({
      source: 'wordpress',
      dialect: null,
      updated: 0,
      unchanged: 0,
      ignored: {},
      imported: counts({ posts: 1, categories: 1, tags: 3, media: 1, redirects: 9 }),
      skipped: [],
      warnings: [
        'old.example/?p=7: The block “latest-posts” is filled in by WordPress and was left out.',
        'old.example/?p=7: The shortcode [contact-form-7] is kept as text.',
        'old.example/?p=7: A post has one category: “Misc” became a tag.',
        'Comments that were not public, and pingbacks: 3 left out.',
      ],
    });
  });

  test('has its text, cover, category, author and search fields', async () => {
    const post = await postOf(getApp(), 'hello-world');
    const image = `/uploads/${post.coverMedia!.path}`;
    expect(post).toMatchObject({
      title: 'Café & more',
      status: 'published',
      publishedAt: new Date('2020-01-02T03:04:05Z'),
      excerpt: 'Short & sweet',
      body: `Hello **there**\n\n![Cat](${image} "A cat")\n\n[contact-form-7 id="5" title="A_b"]`,
      coverAlt: 'The cat',
      seoTitle: 'S',
      seoDescription: 'D',
      category: { slug: 'local', name: 'Local' },
      author: {
        displayName: 'Ada Lovelace',
        username: 'ada',
        email: 'ada@old.example',
        passwordHash: null,
        disabledAt: getApp().clock.now(),
      },
    });
  });

  test('has its tags in their order and its old addresses', async () => {
    const post = await postOf(getApp(), 'hello-world');
    expect(post.tags.map((link) => [link.tag.slug, link.tag.name])).toEqual([
      ['c-2', 'C++'],
      ['c', 'C'],
      ['misc', 'Misc'],
    ]);
    expect(post.redirects.map((redirect) => redirect.path)).toEqual([
      '/2020/01/hello',
      '/2020/01/hello-world',
      '/?author=1',
    ]);
  });

  test('has terms whose old addresses lead to them', async () => {
    const terms = await getApp().db.redirect.findMany({ where: { postId: null }, orderBy: { path: 'asc' } });
    expect(terms.map((redirect) => [redirect.path, redirect.categoryId !== null])).toEqual([
      ['/category/local', true],
      ['/category/misc', false],
      // A category without posts of its own leads to the one below it.
      ['/category/news', true],
      ['/category/news/local', true],
      ['/tag/c', false],
      ['/tag/c-2', false],
    ]);
  });
});

describeWithApp('content:import --from wordpress', (getApp) => {
  test('a template of Yoast or Rank Math is left out and named', async () => {
    const app = getApp();
    const post: WxrItemOptions = {
      id: 1,
      slug: 'templates',
      meta: {
        _yoast_wpseo_title: '%%title%% %%sep%% %%sitename%%',
        rank_math_description: '%excerpt%',
        rank_math_title: 'A title of its own',
      },
    };
    const { warnings } = await run(app, wxrFile([post], {}));
    expect(warnings).toEqual([
      'old.example/?p=1: The search description “%excerpt%” is a template of a plug-in and was left out.',
    ]);
    const row = await app.db.post.findFirstOrThrow();
    expect(row).toMatchObject({ seoTitle: 'A title of its own', seoDescription: '' });
  });

  test('finds pictures of WordPress.com’s hosts in the media folder', async () => {
    const app = getApp();
    const media = await folderWith({ '2020/01/cat.png': await picture(1) });
    const host = 'ada.files.wordpress.com/2020/01/cat.png';
    const post: WxrItemOptions = {
      id: 1,
      slug: 'cats',
      content: `<img src="https://${host}?w=1024" alt="A"><img src="https://i0.wp.com/${host}?resize=300" alt="B"><img src="https://other.example/2020/01/cat.png" alt="C">`,
    };
    const file = wxrFile([post, { ...attachment, attachmentUrl: `https://${host}` }], {});
    const result = await run(app, file, { media });
    expect(result).toMatchObject({
      imported: { posts: 1, media: 1 },
      warnings: [expect.stringContaining('https://other.example/2020/01/cat.png stays as it is')],
    });
    const { body } = await app.db.post.findUniqueOrThrow({ where: { slug: 'cats' } });
    expect(body.match(/\/uploads\//g)).toHaveLength(2);
  });

  test('a category above another one keeps its address where it has posts of its own', async () => {
    const app = getApp();
    const terms = (...slugs: string[]) => slugs.map((slug) => ({ domain: 'category', slug, name: slug }));
    const items = [
      { id: 1, slug: 'below', terms: terms('news', 'local') },
      { id: 2, slug: 'above', terms: terms('news') },
    ];
    await run(app, wxrFile(items, options));
    const { category } = await app.db.redirect.findUniqueOrThrow({
      where: { path: '/category/news' },
      select: { category: { select: { slug: true } } },
    });
    expect(category).toEqual({ slug: 'news' });
  });

  test('states, pages and what is no post', async () => {
    const app = getApp();
    const result = await run(app, wxrFile(ofEveryKind));
    const posts = await app.db.post.findMany({ orderBy: { slug: 'asc' } });
    expect(posts.map(({ slug, status }) => [slug, status])).toEqual([
      ['/about', 'published'],
      ['an-idea', 'draft'],
      ['later', 'scheduled'],
      ['live', 'published'],
      ['locked', 'draft'],
      ['own', 'draft'],
      ['waiting', 'draft'],
    ]);
    expect(result.skipped).toEqual([
      { item: 'old.example/?p=11', reason: 'Only posts and pages are imported, not “product”.' },
      { item: 'old.example/?p=12', reason: 'The status “sold” is unknown.' },
    ]);
    expect(result.ignored).toEqual({ trash: 1, 'auto-draft': 1, nav_menu_item: 1 });
    expect(result.warnings).toEqual([
      'old.example/?p=5: It was private: the post becomes a draft.',
      'old.example/?p=6: It was protected by a password: the post becomes a draft.',
    ]);
  });

  test('a second run changes nothing; a change at the source comes alone, media too', async () => {
    const app = getApp();
    const other = { id: 8, slug: 'other' };
    await run(app, wxrFile([rich, attachment, other], options));
    expect(await run(app, wxrFile([rich, attachment, other], options))).toMatchObject({ imported: nothing });
    const more = { ...rich, comments: 5_000 };
    expect((await run(app, wxrFile([more, attachment, other], options))).imported).toEqual(nothing);
    const changed = wxrFile([{ ...rich, title: 'New' }, attachment, other], options);
    expect(await run(app, changed)).toMatchObject({ imported: nothing, updated: 1, unchanged: 1 });
    const media = await folderWith({ '2020/01/cat.png': await picture(1) });
    expect(await run(app, changed, { media })).toMatchObject({
      imported: { ...nothing, media: 1 },
      updated: 1,
    });
    // A dry run counts the pictures that the real one would write.
    const renamed = wxrFile([{ ...rich, title: 'Newer' }, attachment, other], options);
    const planned = await run(app, renamed, { media, dryRun: true });
    expect(planned).toMatchObject({ imported: nothing, updated: 1 });
    await addFiles(media, { '2020/01/cat.png': await picture(2) });
    expect(await run(app, renamed, { media, dryRun: true })).toMatchObject({ imported: { media: 1 } });
    expect(await run(app, changed, { media })).toMatchObject({
      imported: { ...nothing, media: 1 },
      updated: 1,
    });
    expect(await postOf(app, 'hello-world')).toMatchObject({ title: 'New', version: 4 });
    expect(await app.db.post.count()).toBe(2);
  });

  test('two blogs with the same numbers stay two, and known people are found', async () => {
    const app = getApp();
    const known = await createUser(app, { email: 'ada@old.example', username: 'countess' });
    await run(app, wxrFile([{ ...rich, slug: 'one' }], options));
    await run(app, wxrFile([{ id: 7, slug: 'two' }], { blogUrl: 'https://second.example/blog' }));
    expect(await app.db.post.count()).toBe(2);
    expect((await postOf(app, 'one')).authorId).toBe(known.id);
  });

  test('a dry run says the same and writes nothing', async () => {
    const app = getApp();
    const media = await folderWith({ '2020/01/cat.png': await picture(1) });
    const xml = wxrFile(
      [rich, attachment, { id: 8, slug: 'hello-world', terms: rich.terms, author: 'ada' }],
      options,
    );
    const planned = await run(app, xml, { media, dryRun: true });
    expect(await app.db.post.count()).toBe(0);
    expect(await app.db.redirect.count()).toBe(0);
    expect(await run(app, xml, { media })).toEqual(planned);
    expect(planned.warnings).toContain(
      'old.example/?p=8: The slug “hello-world” is taken; the post gets “hello-world-2”.',
    );
  });

  test('addresses of pictures that are not there stay and are listed', async () => {
    const app = getApp();
    const media = await folderWith({ '2020/a.png': await picture(1), 'c.png': await picture(3) });
    const content =
      '<img src="/wp-content/uploads/2020/a-20x30.png"><img src="http://www.old.example/wp-content/uploads/2020/b.png"><img src="https://cdn.example/x/wp-content/uploads/c.png?w=9"><img src="https://far.example/c.png"><img src="https://far.example/photo-1?w=1"><a href="../../../../etc/passwd">x</a><a href="/wp-content/uploads/z.pdf">z</a>';
    const result = await run(app, wxrFile([{ ...rich, content }, attachment]), { media });
    const { body } = await postOf(app, 'hello-world');
    expect(body.match(/\/uploads\/\d{4}\/\d{2}\/\w{32}\.png/g)).toHaveLength(2);
    const about = result.warnings.filter((one) => /stays|featured/.test(one)).map((one) => one.slice(18));
    expect(about).toEqual([
      'http://www.old.example/wp-content/uploads/2020/b.png stays as it is: it is not in the media folder.',
      'https://far.example/c.png stays as it is: it is not in the media folder.',
      'https://far.example/photo-1?w=1 stays as it is: it is not in the media folder.',
      '/wp-content/uploads/z.pdf stays as it is: it is not in the media folder.',
      `The featured image ${blogUrl}/wp-content/uploads/2020/01/cat.png was left out: it is not in a media folder.`,
    ]);
  });
});
