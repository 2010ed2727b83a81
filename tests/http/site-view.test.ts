// Contract, section 8: the public site below the admin path, and the way from a public address to its editor.
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createPeople } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  ({ app, server, editor } = await openSite());
  reader = server.client();
});

/** The page without the bar, its stylesheet, and the prefix of links: what readers get. */
const asReaders = (html: string) =>
  html
    .replace(/<aside id="site-bar".*?<\/aside>/s, '')
    .replace(/<link rel="stylesheet" href="[^"]*site-bar[^"]*"\/>/, '')
    .replace(/(href|action)="\/admin\/site\//g, '$1="/');

/** Where the links and forms of a page lead that stay on this site. */
const linksOf = (html: string) =>
  [...html.matchAll(/<(?:a|form)[^>]* (?:href|action)="(\/[^"]*)"/g)].map(([, link]) => link!);

describe('the public site below the admin path', () => {
  let id: string;
  beforeAll(async () => {
    const category = await createCategory(app, { name: 'Harbours', slug: 'harbours' });
    const made = await editor.post('/admin/posts/new', {
      title: 'Tides',
      intent: 'publish',
      categoryId: category.id,
      body: 'A [link](/posts/tides?a=1), [another site](https://example.org/x) and `<a href="/posts/code">`.',
    });
    id = made.headers.location!.split('/').at(-1)!;
  });

  it.each(['/', '/posts/tides', '/categories/harbours', '/archive', '/search?q=tides', '/nothing/here'])(
    'shows the very public page at %s, never kept, with links that stay inside and a bar',
    async (path) => {
      const [inside, outside] = [await editor.get(`/admin/site${path}`), await reader.get(path)];
      expect([inside.status, inside.headers['cache-control']]).toEqual([outside.status, 'no-store']);
      expect(asReaders(inside.text)).toBe(outside.text);
      expect(inside.text).toContain('id="site-bar"');
      expect(outside.text).not.toMatch(/site-bar|\/admin/);
      const leaving = linksOf(inside.text).filter(
        (link) => !link.startsWith('/admin') && !/\.xml$/.test(link),
      );
      expect(leaving).toEqual([path]);
    },
  );

  it('has a bar with the state of the post and the way to its editor', async () => {
    const page = await editor.get('/admin/site/posts/tides');
    for (const part of [
      `href="/admin/posts/${id}"`,
      'Edit this',
      'New post',
      'published',
      'Everyone can see this page',
      'href="/admin/site/posts/tides?a=1"',
      'href="https://example.org/x"',
    ])
      expect(page.text).toContain(part);
    const styles = /<link rel="stylesheet" href="([^"]*site-bar[^"]*)"/.exec(page.text)![1]!;
    expect((await reader.get(styles)).status).toBe(200);
  });

  it('is linked to from the backend', async () => {
    expect((await editor.get('/admin/posts')).text).toContain('href="/admin/site"');
    expect((await editor.get('/admin/site')).text).toContain('id="site-bar"');
  });
});

it('follows redirects inside, and is for people who have logged in', async () => {
  const { id } = await createPost(app, {
    title: 'Moved',
    slug: 'moved',
    status: 'published',
    hasBeenPublic: true,
  });
  await editor.post(`/admin/posts/${id}`, { version: '1', intent: 'save', slug: 'moved-on' });
  const moved = await editor.get('/admin/site/posts/moved');
  expect([moved.status, moved.headers.location]).toEqual([301, '/admin/site/posts/moved-on']);
  const stranger = await server.client().get('/admin/site/posts/moved-on');
  expect([stranger.status, stranger.headers.location]).toEqual([
    302,
    expect.stringMatching(/^\/admin\/login/),
  ]);
  for (const path of ['api/health', 'uploads/x.jpg', 'admin/posts', 'preview/x'])
    expect((await editor.get(`/admin/site/${path}`)).status).toBe(404);
});

it('a post that readers do not see says so, to those who may know of it', async () => {
  const people = await createPeople(app, server);
  await createPost(app, { title: 'A secret plan', slug: 'secret', authorId: people.editor.id });
  const mine = await people.editor.client.get('/admin/site/posts/secret');
  expect([mine.status, mine.text]).toEqual([
    404,
    expect.stringContaining('Readers can’t see “A secret plan”'),
  ]);
  const theirs = await people.contributor.client.get('/admin/site/posts/secret');
  expect([theirs.status, theirs.text.includes('A secret plan')]).toEqual([404, false]);
  await createPost(app, { title: 'Public', slug: 'public', status: 'published', authorId: people.editor.id });
  const open = (await people.contributor.client.get('/admin/site/posts/public')).text;
  expect([open.includes('Everyone can see'), open.includes('Edit this')]).toEqual([true, false]);
});

describe('the way from a public address to the editor', () => {
  let post: { id: string };
  let tag: { id: string };
  beforeAll(async () => {
    post = await createPost(app, { slug: 'größe', status: 'draft' });
    tag = await createTag(app, { slug: 'winds' });
  });
  const go = async (path: string) => {
    const { status, headers } = await editor.get(`/admin/edit?path=${encodeURIComponent(path)}`);
    return status === 302 ? headers.location : status;
  };

  it.each([
    '/posts/größe',
    '/posts/gr%C3%B6%C3%9Fe',
    '/posts/größe/',
    '/posts/größe?a=1#b',
    '/admin/site/posts/größe',
    'https://blog.example.org/posts/größe',
  ])('leads from %s to the post', async (way) => {
    expect(await go(way)).toBe(`/admin/posts/${post.id}`);
  });

  it('leads from a tag to its form', async () => {
    expect(await go('/tags/winds')).toBe(`/admin/tags/${tag.id}`);
  });

  it.each([
    '',
    '/',
    '/posts/none',
    'https://elsewhere.example/posts/größe',
    '//x',
    '/%00',
    '/%E0',
    'x'.repeat(5_000),
  ])('leads from nowhere else: %.30s', async (path) => {
    expect(await go(path)).toBe(404);
  });
});

it('says in the person’s language that readers find nothing', async () => {
  const people = await createPeople(app, server);
  const { client } = people.author;
  expect((await client.post('/admin/account', { language: 'de' })).status).toBe(302);
  const bar = /<aside id="site-bar".*?<\/aside>/s.exec(
    (await client.get('/admin/site/nothing/here')).text,
  )![0];
  expect(bar).toContain('Unter dieser Adresse finden Leser keine Seite.');
  expect(bar).toContain('lang="de"');
  expect(bar).not.toMatch(/Everyone can see|New post|Backend</);
});

it('finds the editor of the home page and of what lies below a language', async () => {
  const page = await createPost(app, {
    type: 'page',
    listedIn: 'pages',
    slug: '/start',
    status: 'published',
  });
  const tag = await createTag(app, { slug: 'zeit' });
  const settings = { home_page: page.id, site_languages: 'de' };
  expect((await editor.post('/admin/settings/site', settings)).status).toBe(302);
  const go = async (path: string) => (await editor.get(`/admin/edit?path=${path}`)).headers.location;
  expect(await go('/')).toBe(`/admin/posts/${page.id}`);
  expect(await go('/start')).toBe(`/admin/posts/${page.id}`);
  expect(await go('/de/tags/zeit')).toBe(`/admin/tags/${tag.id}`);
  expect((await editor.get('/admin/site/')).text).toContain(`href="/admin/posts/${page.id}"`);
});

it('leads nobody to an editor that their role does not include', async () => {
  const { author, administrator } = await createPeople(app, server);
  const go = async (path: string) => {
    const { status, headers } = await author.client.get(`/admin/edit?path=${path}`);
    return status === 302 ? headers.location : status;
  };
  const { username } = await app.db.user.findUniqueOrThrow({ where: { id: administrator.id } });
  const own = await app.db.user.findUniqueOrThrow({ where: { id: author.id } });
  expect(await go(`/authors/${username}`)).toBe(403);
  expect(await go(`/authors/${own.username}`)).toBe('/admin/account');
  await createPost(app, { slug: 'unseen', authorId: administrator.id });
  expect(await go('/posts/unseen')).toBe(404);
});
