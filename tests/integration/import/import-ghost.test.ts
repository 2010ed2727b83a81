import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importFrom, type ImportFromOptions } from '#app/import/run/import.server.ts';
import type { ImportResult } from '#app/import/run/report.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { folderWith, picture } from '#tests/support/content-folders.ts';
import { counts, importResult } from '#tests/support/import.ts';

const nothing = counts();

interface Tables {
  posts: unknown[];
  [table: string]: unknown[];
}

async function run(
  app: TestApp,
  data: Tables | string,
  { redirects, routes, ...options }: Partial<ImportFromOptions> = {},
) {
  const text =
    typeof data === 'string' ? data : JSON.stringify({ db: [{ meta: { version: '5.80.0' }, data }] });
  const folder = await folderWith({ 'ghost.json': text, redirects: redirects ?? '', routes: routes ?? '' });
  return importResult(app, {
    from: 'ghost',
    input: path.join(folder, 'ghost.json'),
    dryRun: false,
    ...options,
    ...(redirects === undefined ? {} : { redirects: path.join(folder, 'redirects') }),
    ...(routes === undefined ? {} : { routes: path.join(folder, 'routes') }),
  });
}

const post = (fields: Record<string, unknown>) => ({
  id: '64a',
  uuid: `uuid-${String(fields.slug)}`,
  title: 'T',
  html: '<p>Text</p>',
  type: 'post',
  status: 'published',
  visibility: 'public',
  published_at: '2020-01-02T03:04:05.000Z',
  updated_at: '2020-02-03T03:04:05.000Z',
  ...fields,
});

const sample = (): Tables => ({
  posts: [
    post({
      slug: 'welcome',
      title: 'Welcome',
      html: '<p>See <a href="__GHOST_URL__/about/">this</a></p><figure class="kg-card kg-image-card kg-card-hascaption"><img src="__GHOST_URL__/content/images/size/w1000/2021/05/cat.png" class="kg-image" alt="Cat"><figcaption>A cat</figcaption></figure><!--kg-card-begin: markdown--><h2 id="x">Two</h2><!--kg-card-end: markdown-->',
      feature_image: '__GHOST_URL__/content/images/2021/05/cat.png',
      custom_excerpt: 'Short.',
      canonical_url: 'https://far.example/x',
      codeinjection_head: '<script>1</script>',
    }),
  ],
  tags: [
    { id: 't1', name: 'News', slug: 'news', visibility: 'public' },
    { id: 't2', name: '#hidden', slug: 'hash-hidden', visibility: 'internal' },
    { id: 't3', name: 'Örtliches', slug: 'ortliches' },
  ],
  posts_tags: [
    { post_id: '64a', tag_id: 't1', sort_order: 1 },
    { post_id: '64a', tag_id: 't3', sort_order: 0 },
    { post_id: '64a', tag_id: 't2', sort_order: 2 },
  ],
  users: [
    { id: 'u1', name: 'Ada Lovelace', slug: 'ada', email: 'ada@old.example' },
    { id: 'u2', name: 'Grace', slug: 'grace', email: 'grace@old.example' },
  ],
  posts_authors: [
    { post_id: '64a', author_id: 'u2', sort_order: 1 },
    { post_id: '64a', author_id: 'u1', sort_order: 0 },
  ],
  posts_meta: [{ post_id: '64a', meta_title: 'S', meta_description: 'D', feature_image_alt: 'Alt' }],
});

const redirectRules = JSON.stringify([
  { from: '^/old-welcome/?$', to: '/welcome/', permanent: true },
  { from: '/n', to: '/tag/news/' },
  { from: '^/posts/(.*)$', to: '/$1' },
  { from: '/lost/', to: '/nowhere/' },
]);

describeWithOneApp('a post of Ghost with everything that belongs to it', (getApp) => {
  let media: string;
  let result: ImportResult;
  beforeAll(async () => {
    media = await folderWith({ 'images/2021/05/cat.png': await picture(1) });
    result = await run(getApp(), sample(), { media, redirects: redirectRules });
  });
  const findPost = () =>
    getApp().db.post.findUniqueOrThrow({
      where: { slug: 'welcome' },
      include: {
        author: true,
        coverMedia: true,
        redirects: { orderBy: { path: 'asc' } },
        tags: { orderBy: { position: 'asc' }, include: { tag: true } },
      },
    });

  test('is counted, and what is left out is named', () => {
    const key = 'uuid-welcome';
    expect(result).toEqual({
      source: 'ghost',
      dialect: null,
      updated: 0,
      unchanged: 0,
      ignored: {},
      imported: counts({ posts: 1, categories: 0, tags: 2, media: 1, redirects: 5 }),
      skipped: [],
      warnings: [
        `${key}: Its codeinjection_head was left out: code of your own goes nowhere here.`,
        `${key}: The internal tag “#hidden” was left out.`,
        'The redirect from ^/posts/(.*)$ to /$1 is no plain path and was left out.',
        'The redirect from /lost to /nowhere leads to nothing here and was left out.',
      ],
    });
  });

  test('has its text, cover, times, author and search fields', async () => {
    const found = await findPost();
    expect(found).toMatchObject({
      title: 'Welcome',
      status: 'published',
      publishedAt: new Date('2020-01-02T03:04:05Z'),
      contentUpdatedAt: new Date('2020-02-03T03:04:05Z'),
      body: `See [this](/about/)\n\n![Cat](/uploads/${found.coverMedia!.path} "A cat")\n\n## Two`,
      excerpt: 'Short.',
      coverAlt: 'Alt',
      seoTitle: 'S',
      seoDescription: 'D',
      canonicalUrl: 'https://far.example/x',
      author: { username: 'ada', email: 'ada@old.example', passwordHash: null },
    });
  });

  test('has its tags in their order and its old addresses', async () => {
    const found = await findPost();
    expect(found.tags.map(({ tag }) => [tag.slug, tag.name])).toEqual([
      ['ortliches', 'Örtliches'],
      ['news', 'News'],
    ]);
    expect(found.redirects.map((redirect) => redirect.path)).toEqual(['/old-welcome', '/welcome']);
  });

  test('is left as it is by a second run', async () => {
    expect(await run(getApp(), sample(), { media, redirects: redirectRules })).toMatchObject({
      imported: nothing,
    });
  });
});

const routesFile = `
routes:
  /start/: home
collections:
  /:
    permalink: /{year}/{month}/{primary_tag}/{slug}/
    template: index
  /podcast/:
    permalink: /podcast/{slug}/
    filter: tag:podcast
taxonomies:
  tag: /topic/{slug}/
  author: /by/{slug}/
`;

const postsOfEveryState = [
  post({ id: 1, slug: 'live' }),
  post({ id: 2, slug: 'later', status: 'scheduled', published_at: '2030-01-01 00:00:00' }),
  post({ id: 3, slug: 'idea', status: 'draft', published_at: null }),
  post({ id: 4, slug: 'mailed', status: 'sent' }),
  post({ id: 5, slug: 'paid', visibility: 'paid' }),
  post({ id: 6, slug: 'about', type: 'page' }),
  post({ id: 7, slug: 'older', page: 1, visibility: undefined }),
  { title: 'no id' },
  post({ id: 8, slug: 'long', html: `<p>${'x'.repeat(3_000_000)}</p>` }),
];

describeWithApp('content:import --from ghost', (getApp) => {
  test('states of posts, pages, and who may read them', async () => {
    const app = getApp();
    const result = await run(app, { posts: postsOfEveryState });
    const posts = await app.db.post.findMany({ orderBy: { slug: 'asc' } });
    expect(posts.map(({ slug, status }) => [slug, status])).toEqual([
      ['/about', 'published'],
      ['/older', 'published'],
      ['idea', 'draft'],
      ['later', 'scheduled'],
      ['live', 'published'],
      ['mailed', 'draft'],
      ['paid', 'draft'],
    ]);
    expect(result.skipped).toEqual([
      { item: 'post 8', reason: 'It is not a post as Ghost exports them.' },
      { item: 'uuid-long', reason: 'Body is too long: at most 2 MB.' },
    ]);
    expect(result.warnings).toEqual([
      'uuid-mailed: It was only sent by email: the post becomes a draft.',
      'uuid-paid: It was not for everybody (paid): the post becomes a draft.',
    ]);
  });

  test('routes.yaml: posts and tags lead from the addresses that it gives them; what is not simple is listed', async () => {
    const app = getApp();
    const data = {
      posts: [
        post({ slug: 'one' }),
        post({ id: '64b', slug: 'two', html: '<p><a href="__GHOST_URL__/2020/01/news/one/">One</a></p>' }),
        post({ id: '64c', slug: 'about', type: 'page' }),
      ],
      tags: [{ id: 't1', name: 'News', slug: 'news' }],
      posts_tags: ['64a', '64b'].map((post_id) => ({ post_id, tag_id: 't1' })),
    };
    const { warnings } = await run(app, data, { routes: routesFile });
    expect(warnings).toEqual([
      'The route /start/ was left out: it is a template.',
      'The collection /podcast/ was left out: it holds some of the posts.',
      'The addresses /by/{slug}/ of the taxonomy author were left out.',
    ]);
    const redirects = await app.db.redirect.findMany({ orderBy: { path: 'asc' } });
    expect(redirects.map((redirect) => redirect.path)).toEqual([
      ...['/2020/01/news/one', '/2020/01/news/two', '/one', '/tag/news', '/topic/news', '/two'],
    ]);
    expect((await app.db.post.findUniqueOrThrow({ where: { slug: 'two' } })).body).toBe('[One](/posts/one)');
    await expect(run(app, data, { routes: 'collections: [1' })).rejects.toThrow('not a routes file');
  });

  test('a dry run says the same and writes nothing; redirects as YAML; exports without a wrapper', async () => {
    const app = getApp();
    const text = JSON.stringify({ meta: { version: '3.1' }, data: sample() });
    const options = { redirects: '301:\n  /old/: /welcome/\n  /n/: /tag/news/\n302:\n' };
    const planned = await run(app, text, { ...options, dryRun: true });
    expect(await app.db.post.count()).toBe(0);
    expect(await run(app, text, options)).toEqual(planned);
    expect(planned.imported).toEqual(counts({ posts: 1, tags: 2, redirects: 5 }));
  });

  test.each([
    ['in a post', ['kept', 'too'], (text: string) => text.slice(0, text.indexOf('"slug":"cut"') + 9)],
    [
      'behind the posts',
      ['kept', 'too', 'cut'],
      (text: string) => text.slice(0, text.indexOf('"users"') - 3),
    ],
  ])('a file that is cut off %s is imported as far as it goes', async (_, slugs, cut) => {
    const app = getApp();
    const posts = ['kept', 'too', 'cut'].map((slug) => post({ slug, html: '<p>A "[{" text</p>' }));
    const text = JSON.stringify({
      db: [{ meta: { version: '5.80.0' }, data: { posts, tags: [], users: [] } }],
    });
    const input = path.join(await folderWith({ 'ghost.json': cut(text) }), 'ghost.json');
    const options = { from: 'ghost', input, dryRun: false } as const;
    const { result, problems } = await importFrom(app, options);
    expect(problems).toEqual(['The file is cut off. Export it again, or accept it with --accept-truncated.']);
    expect(result.imported.posts).toBe(slugs.length);
    expect((await app.db.post.findMany({ select: { slug: true } })).map(({ slug }) => slug).sort()).toEqual(
      slugs.sort(),
    );
    expect((await importFrom(app, { ...options, acceptTruncated: true })).problems).toEqual([]);
  });

  test.each([
    ['{"db":[', 'not JSON'],
    ['{"posts":[]}', 'not a Ghost export'],
    ['<rss></rss>', 'not JSON'],
  ])('%s is refused', async (text, message) => {
    await expect(run(getApp(), text)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message) as string,
    });
  });

  test('a redirects file that is none, and files that are not there', async () => {
    const app = getApp();
    await expect(run(app, sample(), { redirects: 'a: 1' })).rejects.toThrow('not a redirects file');
    await expect(run(app, sample(), { media: 'none' })).rejects.toThrow('There is no folder none.');
    await expect(importResult(app, { from: 'ghost', input: 'none', dryRun: false })).rejects.toThrow(
      'There is no file none.',
    );
  });
});
