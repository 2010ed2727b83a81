// The backend in Arabic, and posts in Arabic in any backend: signs point to the side that they mean.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trashPost } from '#app/publishing/posts/trash.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import {
  type BrowserSession,
  fromMenu,
  openBrowserSession,
  toggleSettings,
} from '#tests/support/browser-session.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
const sessions: BrowserSession[] = [];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  for (const session of sessions) await session.close();
  await server?.stop();
  await app?.close();
});

async function openIn(language: string, path: string): Promise<Page> {
  const { id } = await createUser(app, { role: 'administrator', language });
  const session = await openBrowserSession(app, server, id);
  sessions.push(session);
  await session.open(path);
  return session.page;
}

const table = '| A | B |\n|---|---|\n| 1 | 2 |\n\nEnd.';

it('letters of joined scripts have no distance, and arrows point back to the right', async () => {
  const page = await openIn('ar', 'calendar');
  expect(await page.locator('h1').evaluate((each) => getComputedStyle(each).letterSpacing)).toMatch(
    /^(0px|normal)$/,
  );
  const icon = page.locator('.page-head svg').first();
  expect(await icon.evaluate((each) => getComputedStyle(each).transform)).toBe('matrix(-1, 0, 0, 1, 0, 0)');
});

it('the frames of the appearance show the site, which is shrunk to their size', async () => {
  const page = await openIn('ar', 'appearance');
  const frame = (await page.locator('.frame-wide').boundingBox())!;
  const site = (await page.locator('.frame-wide iframe').boundingBox())!;
  // A line around the frame.
  expect(Math.abs(site.x - frame.x)).toBeLessThanOrEqual(2);
  expect(Math.abs(site.width - frame.width)).toBeLessThanOrEqual(4);
});

it('an English title in the trash stands at the right, above its details', async () => {
  const { id: editorId } = await createUser(app, { role: 'administrator' });
  const { id: postId } = await createPost(app, { title: 'No longer wanted', authorId: editorId });
  await trashPost(app, { postId, version: 1, editorId });
  const page = await openIn('ar', 'trash');
  const title = page.locator('.trash-row-title').first();
  expect(await title.evaluate((each) => getComputedStyle(each).textAlign)).toBe('right');
});

it('a field shows an address from left to right, and an Arabic name from right to left', async () => {
  const page = await openIn('ar', 'posts/new');
  const direction = (name: string) =>
    page.locator(`[name=${name}]`).evaluate((each) => getComputedStyle(each).direction);
  await toggleSettings(page);
  await page.locator('[name=canonicalUrl]').evaluate((each) => (each.closest('details')!.open = true));
  await page.fill('[name=canonicalUrl]', 'https://example.org/a/b');
  await page.fill('[name=tags]', 'مرفأ');
  expect(await direction('canonicalUrl')).toBe('ltr');
  expect(await direction('tags')).toBe('rtl');
});

it('the text of an Arabic post is written from the right in an English backend', async () => {
  const { id } = await createPost(app, {
    title: 'أضواء',
    body: `مساء الخير \`code()\`\n\n${table}`,
    language: 'ar',
  });
  const page = await openIn('en', `posts/${id}`);
  await page.locator('.writing[data-live]').waitFor();
  for (const part of ['[name=title]', '.cm-content'])
    expect(await page.locator(part).evaluate((each) => getComputedStyle(each).direction), part).toBe('rtl');
  expect(await page.locator('.md-code').evaluate((each) => getComputedStyle(each).direction)).toBe('ltr');
  await fromMenu(page, 'Formatting bar');
  expect(await page.locator('.tools').evaluate((each) => getComputedStyle(each).direction)).toBe('ltr');
});

it('a column of an Arabic table moves to the side that its button names', async () => {
  const { id } = await createPost(app, { body: table, language: 'ar' });
  const page = await openIn('en', `posts/${id}`);
  const cell = page.locator('.md-grid tbody textarea').first();
  await cell.focus();
  const before = (await cell.boundingBox())!.x;
  await page.getByRole('button', { name: 'Move the column to the left' }).click();
  await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('| 2 | 1 |');
  expect((await page.locator('.md-grid tbody textarea').last().boundingBox())!.x).toBeLessThan(before);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('| 1 | 2 |');
});

it('the arrow to older posts points to the left on an Arabic page', async () => {
  for (const title of ['One', 'Two']) await createPost(app, { title, status: 'published' });
  await changeSettings(app, { site_language: 'ar', posts_per_page: '1' });
  const page = await openIn('ar', '');
  await page.goto(server.url);
  const older = page.locator('.pagination-older');
  expect(await older.textContent()).toContain('→');
  const mirrored = 'matrix(-1, 0, 0, 1, 0, 0)';
  expect(await older.locator('span').evaluate((each) => getComputedStyle(each).transform)).toBe(mirrored);
});
