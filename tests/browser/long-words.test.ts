// One very long word in titles, names and texts: no page is wider than the window, and no word is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPost as publishPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createCategory, createMedia, createPost, createTag, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

let app: TestApp;
let server: TestServer;
let session: BrowserSession;
let paths: string[];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const { id: userId } = await createUser(app, { role: 'administrator', displayName: word, username: 'ada' });
  const category = await createCategory(app, { name: word, slug: 'long' });
  const tag = await createTag(app, { name: word, slug: 'long' });
  const media = await createMedia(app, { originalName: `${word}.webp` });
  const body = `${word}\n\n## ${word}\n\n![${word}](/uploads/${media.path} "${word}") and then the end.`;
  const fields = { title: `The ${word}`, excerpt: `${word} ${word}`, slug: 'long', body, tags: [word] };
  await publishPost(app, {
    intent: 'publish',
    fields: { ...fields, categoryId: category.id },
    editorId: userId,
  });
  const draft = await createPost(app, { title: word, authorId: userId, body });
  server = await startServer({ env: app.variables });
  session = await openBrowserSession(app, server, userId);
  const backend = ['', 'posts', `posts/${draft.id}/publish`, 'calendar', 'media', `media/${media.id}`];
  const lists = ['categories', `categories/${category.id}`, 'tags', `tags/${tag.id}`, 'releases/new'];
  const people = ['users', `users/${userId}`, 'account', 'audit', 'trash', 'time'];
  const site = ['', 'posts/long', 'categories/long', 'tags/long', 'authors/ada', 'archive', 'search?q=the'];
  paths = [
    ...[...backend, ...lists, ...people].map((path) => `/admin/${path}`.replace(/\/$/, '')),
    ...[...site, 'categories', 'tags', 'nothing-here'].map((path) => `/${path}`),
  ];
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
  await app?.close();
});

it.each([1280, 390])('no page is wider than a window of %d pixels', async (width) => {
  const { page } = session;
  await page.setViewportSize({ width, height: 800 });
  const wider: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (beyond > 0) wider.push(`${path}: ${beyond}`);
  }
  expect(wider).toEqual([]);
});

it('keeps the space between two words that a search marks', async () => {
  const { page } = session;
  await page.goto('/search?q=the');
  expect(await page.locator('.search-hit .teaser-excerpt').first().innerText()).toContain('then the');
});
