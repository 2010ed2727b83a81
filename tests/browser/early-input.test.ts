// What is typed and chosen before the scripts run counts once they do.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import {
  focused,
  delayScripts,
  openBrowserSession,
  type BrowserSession,
} from '#tests/support/browser-session.ts';
import { createMedia, createPost, createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let session: BrowserSession;
let page: Page;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await changeSettings(app, { site_timezone: 'Europe/Berlin' });
  server = await startServer({ env: app.variables });
  const { id } = await createUser(app, { role: 'administrator' });
  session = await openBrowserSession(app, server, id);
  page = session.page;
});
afterAll(async () => {
  const troubles = session?.troubles;
  await session?.close();
  await server?.stop();
  await app?.close();
  expect(troubles).toEqual([]);
});

/** Opens a screen whose scripts come only when `early` is done. */
async function openSlowly(path: string, early: () => Promise<void>): Promise<void> {
  const scripts = await delayScripts(page);
  await session.open(path, 'commit');
  await page.locator('main').waitFor();
  await early();
  await scripts.release();
}

it('the draft of the appearance, by a radio button and a colour, which its swatch shows', async () => {
  await openSlowly('appearance', async () => {
    await page.locator('.preset').nth(1).click();
    await page.locator('[name=accent_color]').fill('#123456');
  });
  await page.getByText('Draft saved.').waitFor();
  expect(await page.getByLabel('Pick a colour').inputValue()).toBe('#123456');
});

it('a time that occurs twice, which the form of the calendar then asks about', async () => {
  const inFiveDays = new Date(Date.now() + 5 * 86_400_000);
  inFiveDays.setUTCHours(12);
  await createPost(app, { title: 'Moved', status: 'scheduled', publishedAt: inFiveDays });
  await openSlowly(`calendar?month=${inFiveDays.toISOString().slice(0, 7)}`, async () => {
    await page.getByLabel('Move “Moved”').click();
    await page.getByLabel('New time').fill('2030-10-27T02:30');
  });
  await page.getByLabel('Which 2:30 AM').waitFor();
});

it('the cover of a post with its description, the title, and what counts the letters of another field', async () => {
  const { id: coverMediaId } = await createMedia(app, { alt: 'The quay' });
  const { id } = await createPost(app, { title: 'Covered' });
  await openSlowly(`posts/${id}`, async () => {
    await page.locator('[name=title]').fill('Covered early');
    const cover = page.locator(`[name=coverMediaId][value="${coverMediaId}"]`);
    await page.getByRole('heading', { name: 'Cover', exact: true }).click();
    await page.locator('.cover', { has: cover }).click();
    await page.getByRole('heading', { name: 'Search and social' }).click();
    await page.locator('[name=seoTitle]').fill('Found early');
  });
  await page.locator('.framing').waitFor();
  await expect.poll(() => page.locator('[name=coverAlt]').inputValue()).toBe('The quay');
  await page.getByText(/^11 of about 60 characters/).waitFor();
  const row = () => app.db.post.findUniqueOrThrow({ where: { id } });
  await expect.poll(row).toMatchObject({ title: 'Covered early', coverMediaId, coverAlt: 'The quay' });
});

it('a page that is only opened is not saved', async () => {
  const before = await app.db.post.count();
  await openSlowly('posts/new', () => Promise.resolve());
  await page.locator('.writing[data-live]').waitFor();
  expect(await page.locator('.save-state').innerText()).not.toMatch(/typing|saving|saved/i);
  expect(await app.db.post.count()).toBe(before);
});

it('Ctrl+S saves what was typed; the browser does not save the page', async () => {
  const { id } = await createPost(app, { title: 'Early', body: 'Words.', status: 'published' });
  await openSlowly(`posts/${id}`, async () => {
    await page.locator('[name=title]').fill('Early bird');
    expect(await isTakenAway('s')).toBe(true);
  });
  const row = () => app.db.post.findUniqueOrThrow({ where: { id } });
  await expect.poll(row).toMatchObject({ title: 'Early bird', status: 'published' });
  await expect.poll(() => focused(page)).toBe('title');
});

it('Ctrl+K opens the palette with what was typed behind it', async () => {
  await openSlowly('posts', async () => {
    await page.locator('body').evaluate(() => (document.activeElement as HTMLElement).blur());
    expect(await isTakenAway('k')).toBe(true);
    await page.keyboard.type('appear');
  });
  await page.getByRole('option', { name: /Appearance/ }).waitFor();
  expect(await page.getByRole('combobox', { name: /^Jump to/ }).inputValue()).toBe('appear');
});

/** Presses a key with Ctrl. @returns whether the page took it from the browser */
function isTakenAway(key: string): Promise<boolean> {
  return page.evaluate((key) => {
    const event = new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true });
    return !(document.activeElement ?? document.body).dispatchEvent(event);
  }, key);
}
