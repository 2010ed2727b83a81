// What JavaScript adds to the editor and the calendar.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createPost, createTag, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let userId: string;
let session: BrowserSession;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createUser(app, { role: 'editor' })).id;
  await createTag(app, { name: 'Lighthouses', slug: 'lighthouses' });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});
beforeEach(async () => {
  session = await openBrowserSession(app, server, userId);
});
afterEach(async () => {
  const { troubles } = session;
  await session.close();
  expect(troubles).toEqual([]);
});

async function openEditor(body = '') {
  const post = await createPost(app, { body, authorId: userId });
  await session.open(`posts/${post.id}`);
  await session.page.locator('.tools').waitFor();
  const text = session.page.locator('[name=body]');
  return { post, text, value: () => text.inputValue() };
}

it('shows what the server makes of the text, its length, the keys, and how it is found', async () => {
  const { text } = await openEditor('A *first* line.');
  const { page } = session;
  await page.getByRole('button', { name: 'Live preview' }).click();
  await page.locator('.live-preview em', { hasText: 'first' }).waitFor();
  await text.fill('A **second** line <script>alert(1)</script> of text.');
  await page.locator('.live-preview strong', { hasText: 'second' }).waitFor();
  expect(await page.locator('.live-preview script').count()).toBe(0);
  await page.getByText(/\d+ words, \d+ characters, 1 min read/).waitFor();
  await page.getByRole('button', { name: 'Keyboard map' }).click();
  await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Search and social' }).click();
  await page.locator('[name=seoTitle]').fill('Found by this title');
  await page.locator('.result-preview .result-title', { hasText: 'Found by this title' }).waitFor();
  await page.locator('.card-preview .result-title', { hasText: 'Found by this title' }).waitFor();
  expect(await page.locator('#known-tags option[value=Lighthouses]').count()).toBe(1);
});

it('moves a scheduled post by dragging it to another day, and by a form', async () => {
  const inFiveDays = new Date(Date.now() + 5 * 86_400_000);
  const month = inFiveDays.toISOString().slice(0, 7);
  const post = await createPost(app, { status: 'scheduled', publishedAt: inFiveDays, authorId: userId });
  const dayOf = async () =>
    (await app.db.post.findUniqueOrThrow({ where: { id: post.id } })).publishedAt!.toISOString().slice(0, 10);
  const { page } = session;
  await session.open(`calendar?month=${month}`);
  const entry = page.locator('[data-movable]', { hasText: post.title });
  await page.waitForFunction(() => document.querySelector<HTMLElement>('[data-movable]')?.draggable);
  const target = new Date(inFiveDays.getTime() + 86_400_000).toISOString().slice(0, 10);
  await entry.dragTo(page.locator(`[data-day="${target}"]`));
  await expect.poll(dayOf, { timeout: 30_000 }).toBe(target);
  await page.locator('[data-movable] summary').click();
  const later = new Date(inFiveDays.getTime() + 3 * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('New time').fill(later);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(dayOf, { timeout: 30_000 }).toBe(later.slice(0, 10));
});
