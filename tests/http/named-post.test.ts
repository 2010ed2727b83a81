// The page for an unknown address names the post whose title it has or whose address is near, and never one that is not public.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const publishedAt = app.clock.now();
  const posts = [
    { slug: 'harbour-notes', title: 'Harbour Notes' },
    { slug: 'it-s-here-a-story', title: 'It’s here: a story' },
    { slug: 'other', title: 'Calm seas ahead' },
    { slug: 'tag', title: 'The <title> & “more”' },
    { slug: 'grusse-aus-koln', title: 'Grüße aus Köln' },
    { slug: '/about', title: 'About us', type: 'page' },
  ];
  for (const post of posts) await createPost(app, { ...post, status: 'published', publishedAt });
  for (const status of ['draft', 'scheduled', 'archived', 'trashed'])
    await createPost(app, { slug: `secret-${status}`, title: `Secret ${status}`, status, publishedAt });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const named = async (path: string) => {
  const { status, text } = await server.client().get(path);
  expect(status).toBe(404);
  return /<p class="named-post">(.*?)<\/p>/.exec(text)?.[1] ?? null;
};

it.each([
  ['/harbour-notes', '/posts/harbour-notes', 'Harbour Notes'],
  ['/2024/05/harbour-notes/', '/posts/harbour-notes', 'Harbour Notes'],
  ['/posts/Harbour%20Notes.html', '/posts/harbour-notes', 'Harbour Notes'],
  ['/blog/it-s-here-a-story', '/posts/it-s-here-a-story', 'It’s here: a story'],
  ['/posts/calm-seas-ahead', '/posts/other', 'Calm seas ahead'],
  ['/posts/Calm_seas_ahead', '/posts/other', 'Calm seas ahead'],
  ['/x/Gr%C3%BC%C3%9Fe%20aus%20K%C3%B6ln', '/posts/grusse-aus-koln', 'Grüße aus Köln'],
  ['/posts/about', '/about', 'About us'],
  ['/posts/harbour', '/posts/harbour-notes', 'Harbour Notes'],
  ['/posts/harbour-notes-2', '/posts/harbour-notes', 'Harbour Notes'],
  ['/posts/it-s-here-a-stry', '/posts/it-s-here-a-story', 'It’s here: a story'],
  ['/posts/The%20%3Ctitle%3E%20&%20%E2%80%9Cmore%E2%80%9D', '/posts/tag', 'The &lt;title&gt; &amp; “more”'],
])('%s names the post %s', async (path, href, title) => {
  expect(await named(path)).toBe(`Did you mean “<a href="${href}">${title}</a>”?`);
});

it.each([
  ...['draft', 'scheduled', 'archived', 'trashed'].flatMap((status) => [
    `/secret-${status}`,
    `/posts/Secret%20${status}`,
  ]),
  '/posts/harb',
  '/posts/harbour-in-the-evening-light',
  '/posts/secret-draf',
  '/posts/%E2%80%A6',
  `/posts/${'a'.repeat(2_000)}`,
])('%s names no post', async (path) => {
  expect(await named(path)).toBe(null);
});
