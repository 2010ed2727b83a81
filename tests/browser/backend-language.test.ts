// The backend in other languages where scripts run: React takes over what the server has written.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { confirmPublishing, openBrowserSession, openEditorScreen } from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { status: 'published', title: 'Tides' });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

test.each([
  ['de', 'Beiträge', 'Alle auf dieser Seite auswählen'],
  ['ar', 'المقالات', 'اختيار كل ما في هذه الصفحة'],
])('%s: the screens keep their texts when scripts take over', async (language, posts, chooseAll) => {
  const { id } = await createUser(app, { role: 'administrator' });
  await app.db.user.update({ where: { id }, data: { language } });
  const { page, open, troubles, close } = await openBrowserSession(app, server, id);
  for (const path of ['', 'posts/new', 'settings/site', 'account', 'appearance', 'posts']) {
    await open(path);
    expect(await page.locator('html').getAttribute('lang'), path).toBe(language);
    expect(await page.locator('.rail-nav').textContent(), path).toContain(posts);
  }
  // Only scripts show it.
  await page.locator('.scripted .pick', { hasText: chooseAll }).waitFor();
  expect(await page.locator('h1').textContent()).toBe(posts);
  expect(troubles).toEqual([]);
  await close();
});

test('the panel says in German when a post is published, and in which zone', async () => {
  const { id } = await createUser(app, { role: 'editor', language: 'de' });
  const publishedAt = new Date(Date.now() + 24 * 3_600_000);
  const post = await createPost(app, { title: 'Morgen', body: 'Text.', publishedAt, authorId: id });
  const { page, close } = await openEditorScreen(app, server, id, `posts/${post.id}`);
  await page.locator('.editor-bar-buttons .primary').click();
  await page.locator('.publish-panel .when').waitFor();
  await confirmPublishing(page);
  expect(await page.locator('.publish-done [role=status]').textContent()).toContain('(Zeit in UTC)');
  await close();
});
