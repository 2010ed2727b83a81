// Saving without leaving the page: what is on the screen stays there, on this device and on the server.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import {
  type BrowserSession,
  confirmPublishing,
  focused,
  openBrowserSession,
  openEditorScreen,
  pressSave,
  toggleSettings,
} from '#tests/support/browser-session.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let userId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  userId = (await createAdministrator(app, administrator)).id;
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const openEditor = (path: string) => openEditorScreen(app, server, userId, path);
const rowOf = (id: string) => app.db.post.findUniqueOrThrow({ where: { id } });
const keptTexts = ({ page }: BrowserSession) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('dateline:text')).length);
const body = ({ page }: BrowserSession) => page.locator('[name=body]');
/** The page stays the same document: what a script leaves on it is still there. */
const mark = ({ page }: BrowserSession) =>
  page.evaluate(() => void Object.assign(globalThis, { stayed: true }));
const hasStayed = ({ page }: BrowserSession) => page.evaluate(() => 'stayed' in globalThis);

it('Update saves in place: caret, focus and page stay, the state and the times follow', async () => {
  const text = 'A line of some length.\n\n'.repeat(80);
  const { id } = await createPost(app, { status: 'published', body: text, authorId: userId });
  const session = await openEditor(`posts/${id}`);
  const { page } = session;
  await mark(session);
  await page
    .locator('[name=seoTitle]')
    .evaluate((field) => field.closest('details')!.setAttribute('open', ''));
  await page
    .locator('[name=excerpt]')
    .evaluate((field) => field.closest('details')!.setAttribute('open', ''));
  await page.locator('[name=excerpt]').fill('New excerpt');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await rowOf(id)).excerpt).toBe('New excerpt');
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('excerpt');
  await page.locator('[name=excerpt]').fill('Newer excerpt');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect.poll(async () => (await rowOf(id)).excerpt).toBe('Newer excerpt');
  expect(await hasStayed(session)).toBe(true);
  expect((await rowOf(id)).body).toBe(text);
  await session.close();
});

it('a wrong field is named beside it and in a list of links', async () => {
  const session = await openEditor('posts/new');
  const { page } = session;
  await mark(session);
  await page.locator('[name=title]').fill('');
  await toggleSettings(page);
  await page.locator('[name=slug]').fill('///');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await confirmPublishing(page);
  // What is not in the panel leads back to the form.
  await page.locator('.publish-panel').waitFor({ state: 'detached' });
  await page.locator('#field-title-error').waitFor();
  await expect.poll(() => focused(page)).toBe('title');
  const summary = page.locator('.notice-error[role=alert]');
  expect(await summary.textContent()).toContain('There is a problem: check 2 fields');
  expect(await summary.getByRole('link').count()).toBe(2);
  await page.locator('[name=slug]').fill('');
  await page.locator('[name=title]').fill('Mended');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await confirmPublishing(page);
  const mended = () => app.db.post.findFirst({ where: { title: 'Mended', status: 'published' } });
  await expect.poll(mended).not.toBeNull();
  expect(await hasStayed(session)).toBe(true);
  await session.close();
});

it('Enter in the title goes to the text; a wrong time is named in the panel and in the form', async () => {
  const session = await openEditor('posts/new');
  const { page } = session;
  await mark(session);
  await page.locator('[name=title]').fill('When');
  await page.locator('[name=title]').press('Enter');
  await page.keyboard.type('Text after Enter.');
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await page.getByLabel('Custom time').check();
  await confirmPublishing(page);
  const wanted = 'Publication time must be in the future.';
  await page.locator('#publish-time-error', { hasText: wanted }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.locator('#field-publishedAt-error').textContent()).toBe(wanted);
  const post = await app.db.post.findFirst({ where: { title: 'When' } });
  expect(post === null || post.status === 'draft').toBe(true);
  expect(await hasStayed(session)).toBe(true);
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  expect((await app.db.post.findFirstOrThrow({ where: { title: 'When' } })).body).toBe('Text after Enter.');
  await session.close();
});

it('offline the text stays on this device, a reload finds it, and it is saved when the network is back', async () => {
  const { id } = await createPost(app, { body: 'Before.', authorId: userId });
  const session = await openEditor(`posts/${id}`);
  const { page } = session;
  await page.route('**/*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  // What a page sends while it is being closed may pass the route.
  await page.evaluate(() => (window.fetch = () => Promise.reject(new TypeError('Offline'))));
  // Longer than what a browser still sends for a page that is being closed.
  const text = 'Typed offline. '.repeat(5_000);
  await body(session).fill(text);
  await pressSave(page);
  await page.getByText('Offline, kept on this device').waitFor();
  expect(await keptTexts(session)).toBe(1);
  await page.reload();
  await expect.poll(() => body(session).inputValue()).toBe(text);
  expect((await rowOf(id)).body).toBe('Before.');
  await page.unroute('**/*');
  await expect.poll(async () => (await rowOf(id)).body).toBe(text);
  await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
  await expect.poll(() => keptTexts(session)).toBe(0);
  await session.close();
});

it.each(['The first save. The second.', 'The first save.'])(
  'an answer that got lost is no conflict with oneself: %s',
  async (then) => {
    const { id } = await createPost(app, { body: 'Before.', authorId: userId });
    const session = await openEditor(`posts/${id}`);
    const { page } = session;
    let lost = 0;
    await page.route('**/posts/*', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await body(session).fill('The first save.');
    await page.getByText('Offline, kept on this device').waitFor();
    if (then !== 'The first save.') await body(session).fill(then);
    await page.locator('.save-state', { hasText: /^Saved/ }).waitFor();
    expect((await rowOf(id)).body).toBe(then);
    await session.close();
  },
);

it('logging out leaves no text on the device', async () => {
  const { id } = await createPost(app, { body: 'Before.', authorId: userId });
  const session = await openEditor(`posts/${id}`);
  const { page } = session;
  await page.route('**/posts/*', (route) => route.abort());
  await body(session).fill('Secret.');
  await expect.poll(() => keptTexts(session)).toBe(1);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  expect(await keptTexts(session)).toBe(0);
  await session.close();
});

/** Counts what a person does: presses of the mouse, and of the keys that are no text. */
function countedHands({ page }: BrowserSession) {
  const counts = { clicks: 0, keys: 0 };
  return {
    counts,
    async click(target: Locator) {
      counts.clicks += 1;
      await target.click();
    },
    async press(key: string) {
      counts.keys += 1;
      await page.keyboard.press(key);
    },
  };
}

/** Logs in, writes a first post and publishes it, or schedules it for tomorrow. @returns what that took */
async function publishFromLogin(title: string, { isLater }: { isLater: boolean }) {
  const session = await openBrowserSession(app, server, null);
  const { page } = session;
  const { counts, click, press } = countedHands(session);
  await session.open('login');
  // The first field has the focus, and Enter in the last one logs in.
  await page.locator('[name=email]:focus').waitFor();
  await page.keyboard.type(administrator.email);
  await press('Tab');
  await page.keyboard.type(administrator.password);
  await press('Enter');
  await click(page.getByRole('link', { name: 'New post' }).first());
  await page.locator('.writing[data-live]').waitFor();
  // The title has the focus, and Enter leads to the text.
  await page.keyboard.type(title);
  await press('Enter');
  await page.keyboard.type('A text.');
  await click(page.getByRole('button', { name: 'Publish…', exact: true }));
  if (isLater) await click(page.getByLabel('Tomorrow'));
  await click(page.locator('.publish-panel footer .primary'));
  const status = isLater ? 'scheduled' : 'published';
  await page.locator(`.state-${status}`).first().waitFor();
  expect(await app.db.post.findFirst({ where: { title } })).toMatchObject({ status, body: 'A text.' });
  await session.close();
  return counts;
}

it('from the login, a first post is published with at most 3 clicks', async () => {
  expect(await publishFromLogin('Out at once', { isLater: false })).toEqual({ clicks: 3, keys: 3 });
});

it('from the login, a first post is scheduled with at most 4 clicks', async () => {
  expect(await publishFromLogin('Out later', { isLater: true })).toEqual({ clicks: 4, keys: 3 });
});

it('a typo in a published post is mended from its page in the site view with at most 3 clicks', async () => {
  const { id, slug } = await createPost(app, {
    status: 'published',
    body: 'The **harbor** is open.',
    authorId: userId,
  });
  const session = await openBrowserSession(app, server, userId);
  const { page } = session;
  const { counts, click } = countedHands(session);
  await session.open(`site/posts/${slug}`);
  await click(page.getByRole('link', { name: 'Edit this' }));
  await page.locator('.writing[data-live]').waitFor();
  counts.clicks += 1;
  await page.locator('.md-strong').dblclick();
  await page.keyboard.type('harbour');
  await click(page.getByRole('button', { name: 'Update', exact: true }));
  await expect.poll(async () => (await rowOf(id)).body).toBe('The **harbour** is open.');
  const shown = await server.client().get(`/posts/${slug}`);
  expect(shown.text).toContain('<strong>harbour</strong>');
  expect(counts).toEqual({ clicks: 3, keys: 0 });
  await session.close();
});

/** Ends when the page has drawn what it makes of an answer: after two frames. In the page. */
const nextDrawing = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

it('an answer of the state before a publication that comes after it changes nothing on the screen', async () => {
  const session = await openEditor('posts/new');
  const { page } = session;
  const late: (() => Promise<void>)[] = [];
  let isPublished = false;
  await page.route(/\/posts\/[0-9a-f-]{36}$/, async (route) => {
    const request = route.request();
    if (isPublished || request.method() !== 'GET') return route.continue();
    // The draft, as the server had it when it was asked.
    const response = await route.fetch();
    late.push(() => route.fulfill({ response }));
  });
  await page.locator('[name=title]').fill('Overtaken by its own past');
  await page.keyboard.press('Control+s');
  await page.waitForURL(/\/posts\/[0-9a-f-]{36}(#main)?$/);
  await expect.poll(() => late.length).toBeGreaterThan(0);
  isPublished = true;
  await page.locator('button[value=publish]').click();
  await confirmPublishing(page);
  await page.getByRole('heading', { name: 'Published' }).waitFor();
  for (const answer of late) await answer();
  await page.waitForLoadState('networkidle');
  await page.evaluate(nextDrawing);
  expect(await page.getByRole('heading', { name: 'Published' }).count()).toBe(1);
  expect(await page.locator('.state-published').count()).toBeGreaterThan(0);
  await session.close();
});

it('a publication whose new state cannot be read at once is shown when it can', async () => {
  const { id } = await createPost(app, { title: 'Read again', authorId: userId });
  const session = await openEditor(`posts/${id}`);
  const { page } = session;
  let refusals = 0;
  await page.route(new RegExp(`/posts/${id}$`), async (route) => {
    if (route.request().method() !== 'GET' || refusals > 0) return route.continue();
    refusals += 1;
    await route.fulfill({ status: 503, json: { error: { message: 'Busy.' } } });
  });
  await page.locator('button[value=publish]').click();
  await confirmPublishing(page);
  await page.getByRole('heading', { name: 'Published' }).waitFor();
  expect(refusals).toBe(1);
  expect((await rowOf(id)).status).toBe('published');
  await session.close();
});
