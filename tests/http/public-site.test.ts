import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPreviewToken } from '#app/posts/previews/links.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCategory, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { atomProblems, jsonFeedProblems, rssProblems, sitemapProblems } from '#tests/support/feed-rules.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const HOSTILE = `</script><script>alert(1)</script>"><img src=x onerror=alert(2)>'&`;
const SECRET = 'Merger with Globex';

let app: TestApp;
let server: TestServer;
let reader: Client;
let origin: string;

beforeAll(async () => {
  app = await createTestApp();
  await publishSomething();
  server = await startServer({ env: app.variables });
  origin = app.variables.AUTH_URL!;
  reader = server.client();
});

afterAll(async () => {
  await server?.stop();
  await app?.close();
});

async function publishSomething() {
  const author = await createUser(app, { username: 'ada', displayName: `Ada ${HOSTILE}`, bio: HOSTILE });
  const category = await createCategory(app, { slug: 'news', name: `News ${HOSTILE}`, description: HOSTILE });
  const tag = await createTag(app, { slug: '标签', name: `Tag ${HOSTILE}` });
  const common = { authorId: author.id, categoryId: category.id, tagIds: [tag.id] };
  const createdAt = app.clock.now();
  for (let number = 1; number <= 12; number += 1) {
    const post = await createPost(app, {
      ...common,
      slug: `post-${number}`,
      title: `Post ${number} ${HOSTILE}`,
      excerpt: HOSTILE,
      bodyHtml: `<p>${'Calm text about nothing. '.repeat(100)}</p>`,
      status: 'published',
      publishedAt: new Date(Date.UTC(2026, 9, number)),
      contentUpdatedAt: new Date(Date.UTC(2026, 9, number)),
    });
    await app.db.sitemapEntry.create({
      data: { path: `/posts/post-${number}`, postId: post.id, lastModified: createdAt },
    });
    await app.db.redirect.create({ data: { path: `/posts/old-${number}`, postId: post.id, createdAt } });
  }
  const draft = await createPost(app, { ...common, slug: 'secret', title: SECRET, status: 'scheduled' });
  await app.db.redirect.create({ data: { path: '/posts/old-secret', postId: draft.id, createdAt } });
  await app.db.previewLink.create({
    data: {
      id: draft.id,
      postId: draft.id,
      tokenHash: hashPreviewToken('token'),
      createdAt,
      expiresAt: new Date('2999-01-01T00:00:00.000Z'),
    },
  });
}

const pages = [
  '/',
  '/?page=2',
  '/posts/post-1',
  '/posts/post-12',
  '/categories',
  '/categories/news',
  '/categories/news?page=2',
  '/tags',
  '/tags/%E6%A0%87%E7%AD%BE',
  '/authors/ada',
  '/archive',
];
const files = [
  '/rss.xml',
  '/atom.xml',
  '/feed.json',
  '/categories/news/rss.xml',
  '/tags/%E6%A0%87%E7%AD%BE/rss.xml',
  '/sitemap.xml',
  '/robots.txt',
];
const missing = [
  '/nope',
  '/admin-of-old/login',
  '/posts/nope',
  '/posts/secret',
  '/posts/old-secret',
  '/categories/nope',
  '/tags/nope',
  '/authors/nope',
  '/?page=3',
  '/?page=0',
  '/archive?page=2',
  '/preview/wrong',
];

describe('every page', () => {
  test.each(pages)('%s answers whole, in one language, with one heading and no script', async (path) => {
    const { status, headers, text } = await reader.get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<html lang="en">');
    expect(text.match(/<h1[ >]/g)).toHaveLength(1);
    expect(text).toContain(`<link rel="canonical" href="${origin}${path}"/>`);
    expect(text).toMatch(/<meta name="description" content="[^"]+"\/>/);
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!.trim());
    expect(scripts.every((attributes) => attributes === 'type="application/ld+json"')).toBe(true);
    expect(text).not.toMatch(/\sstyle="|<style|\son\w+="/);
  });

  test.each([...pages, ...files])('%s tells nothing of what is not public', async (path) => {
    const { text } = await reader.get(path);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('secret');
    expect(text).not.toMatch(/\/admin\b/);
  });

  test.each(pages)('what people typed is inert in %s', async (path) => {
    const { text } = await reader.get(path);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img src=x');
  });

  test('every file that a page names is there', async () => {
    const { text } = await reader.get('/posts/post-1');
    const named = [...text.matchAll(/<link [^>]*href="(\/[^"]+)"/g)].map(([, href]) => href!);
    expect(named.length).toBeGreaterThan(4);
    for (const href of named) expect((await reader.get(href)).status, href).toBe(200);
  });

  test('a post of text with its styles weighs less than 20 KB compressed', async () => {
    const { text } = await reader.get('/posts/post-1');
    const styles = [...text.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!);
    const parts = [text, ...(await Promise.all(styles.map(async (href) => (await reader.get(href)).text)))];
    const weight = parts.reduce((sum, part) => sum + gzipSync(part).length, 0);
    expect(weight).toBeLessThan(20 * 1024);
  });
});

describe('a post', () => {
  test('says who, when, where and what is next', async () => {
    const { text } = await reader.get('/posts/post-2');
    expect(text).toContain('<time dateTime="2026-10-02T00:00:00.000Z">October 2, 2026</time>');
    expect(text).toContain('href="/authors/ada"');
    expect(text).toContain('href="/categories/news"');
    expect(text).toContain('href="/tags/%E6%A0%87%E7%AD%BE"');
    expect(text).toMatch(/rel="prev" href="\/posts\/post-1"/);
    expect(text).toMatch(/rel="next" href="\/posts\/post-3"/);
  });

  test('carries JSON-LD that machines can read', async () => {
    const { text } = await reader.get('/posts/post-2');
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
    const data = blocks.map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
    expect(data.map((block) => block['@type'])).toEqual(['BlogPosting', 'BreadcrumbList']);
    expect(data[0]).toMatchObject({ headline: `Post 2 ${HOSTILE}`, url: `${origin}/posts/post-2` });
  });

  test('is found under its older slug', async () => {
    const answer = await reader.get('/posts/old-2');
    expect([answer.status, answer.headers.location]).toEqual([301, '/posts/post-2']);
    // A browser that kept it for ever would go in circles once the slug goes back.
    expect(answer.headers['cache-control']).toBe('public, no-cache');
  });
});

describe('addresses', () => {
  test('all that lead nowhere get the very same page', async () => {
    const answers = await Promise.all(missing.map((path) => reader.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(missing.map(() => 404));
    expect(new Set(answers.map(({ headers }) => headers['cache-control']))).toEqual(
      new Set(['public, no-cache']),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.text).toContain('Page not found');
    expect(answers[0]!.text).toContain('href="/posts/post-12"');
  });

  test.each(['/posts/post-1/', '/archive/', '/categories/news/?page=2', '/rss.xml/'])(
    '%s leads to the one without the slash',
    async (path) => {
      const { status, headers } = await reader.get(path);
      expect([status, headers.location]).toEqual([301, path.replace(/\/(\?|$)/, '$1')]);
    },
  );

  test.each([
    ...['/', '/posts/post-1', '/archive', '/rss.xml', '/sitemap.xml', '/robots.txt', '/uploads/x.png'],
    ...['/favicon.svg', '/assets/x.js'],
  ])('%s can only be read', async (path) => {
    const { status, headers } = await reader.post(path);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('files for machines', () => {
  test.each([
    ['/rss.xml', 'application/rss+xml', rssProblems],
    ['/categories/news/rss.xml', 'application/rss+xml', rssProblems],
    ['/tags/%E6%A0%87%E7%AD%BE/rss.xml', 'application/rss+xml', rssProblems],
    ['/atom.xml', 'application/atom+xml', atomProblems],
    ['/feed.json', 'application/feed+json', jsonFeedProblems],
    ['/sitemap.xml', 'application/xml', sitemapProblems],
  ])('%s is valid', async (path, type, problemsOf) => {
    const { status, headers, text } = await reader.get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(problemsOf(text)).toEqual([]);
    expect(text).toContain(`${origin}/posts/post-12`);
  });

  test('a feed that nobody publishes is not there', async () => {
    expect((await reader.get('/tags/nope/rss.xml')).status).toBe(404);
    expect((await reader.get('/sitemaps/1.xml')).status).toBe(404);
  });
});

describe('the search page', () => {
  test.each(['/search', '/search?q=calm', `/search?q=${encodeURIComponent(HOSTILE)}&category=news&tag=x`])(
    '%s answers, keeps what was typed and stays out of search engines',
    async (path) => {
      const { status, text } = await reader.get(path);
      expect(status).toBe(200);
      expect(text).toContain('<meta name="robots" content="noindex"/>');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain(SECRET);
      const typed = new URL(path, 'http://x').searchParams.get('q') ?? '';
      const escaped = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(text).toContain(`value="${escaped.replaceAll('"', '&quot;').replaceAll("'", '&#x27;')}"`);
    },
  );
});

test('a preview shows the post to whoever holds the link, and to no cache or search engine', async () => {
  const { status, headers, text } = await reader.get('/preview/token');
  expect(status).toBe(200);
  expect(text).toContain(SECRET);
  expect(text).toContain('<meta name="robots" content="noindex"/>');
  expect(text).toContain('<meta name="referrer" content="no-referrer"/>');
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
});
