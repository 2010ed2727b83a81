// What a reader sees of each preset before scrolling, and each kind of page: accessible in both schemes, without scripts, shifts
// or requests to others.
import { readdirSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { examine } from '#tests/support/axe.ts';
import { browser, layoutShift } from '#tests/support/browser.ts';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { createDemoPosts } from '#app/publishing/demo/demo-posts.server.ts';
import { createUser } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const presets = readdirSync('app/settings/appearance/themes');
const desktop = { width: 1_280, height: 900 };
const phone = { width: 390, height: 844 };
const LONG_POST = '/posts/how-to-read-a-tide-table';
const POST_BESIDE_PICTURES = '/posts/what-the-typesetter-kept';
const POST_WITHOUT_PICTURE = '/posts/a-word-for-every-fog';
/** One of each kind of page. */
const addresses = [
  ...['/', LONG_POST, POST_WITHOUT_PICTURE, '/handbook', '/categories/craft', '/tags/sea', '/authors/mara'],
  ...['/archive', '/search?q=sea', '/search?q=nothingatall', '/nothing-here', '/subscribe'],
];
/** Their lists are of text alone. */
const withoutPictures = ['notebook', 'quiet'];

let app: TestApp;
let server: TestServer;
let page: Page;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const { id } = await createUser(app, { username: 'mara', displayName: 'Mara Lindgren' });
  await createDemoPosts(app, { userId: id, actor: 'Mara Lindgren', address: '' });
  await changeSettings(app, {
    site_title: 'Saltmarsh',
    site_description: 'Stories about boats, bread and other slow things, from one small harbour',
    navigation: 'Coast | /categories/coast\nCraft | /categories/craft\nNotes | /categories/notes',
    smtp_host: '127.0.0.1',
    smtp_from: 'Saltmarsh <post@saltmarsh.example>',
    newsletter_enabled: 'yes',
  });
  const part = '## A part\n\nOne of us goes out, and the other one asks what it was like.\n\n';
  const handbook = { title: 'The handbook', slug: 'handbook', type: 'page' as const, body: part.repeat(60) };
  await createPost(app, { intent: 'publish', fields: handbook, editorId: id });
  server = await startServer({ env: app.variables });
  page = await (await browser()).newPage();
});
afterAll(async () => {
  await page?.close();
  await server?.stop();
  await app?.close();
});

/** Opens a page of this site, and waits for its pictures and typefaces. */
async function open(path: string, viewport: typeof desktop): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto(server.url + path, { waitUntil: 'networkidle' });
}

/** The headlines that are whole in the window and not over the header, and whether the first picture reaches from edge to edge. */
const headlinesInView = () =>
  page.evaluate(() => {
    const header = document.querySelector('.site-header')!.getBoundingClientRect();
    const whole = [...document.querySelectorAll('.post-list h2')].filter((each) => {
      const { top, bottom, left } = each.getBoundingClientRect();
      return bottom <= innerHeight && (top >= header.bottom || left >= header.right);
    });
    const picture = document.querySelector('.post-list .cover')?.getBoundingClientRect();
    return { count: whole.length, fillsWidth: Math.round(picture?.width ?? 0) >= innerWidth };
  });

describe.each(presets)('%s', (preset) => {
  beforeAll(async () => {
    await changeSettings(app, { preset });
  });

  it('shows the words that a search found, and the posts before and after one with their pictures', async () => {
    await open('/search?q=tide', phone);
    expect(await page.locator('.search-hit .teaser-excerpt').first().isVisible()).toBe(true);
    await open(POST_BESIDE_PICTURES, desktop);
    const pictured = await page.locator('.neighbour .cover').count();
    expect(pictured).toBe(withoutPictures.includes(preset) ? 0 : 2);
  });

  it('shows whole headlines above the fold', async () => {
    await open('/', desktop);
    const { count, fillsWidth } = await headlinesInView();
    expect(count).toBeGreaterThanOrEqual(fillsWidth ? 1 : 2);
    await open('/', phone);
    expect((await headlinesInView()).count).toBeGreaterThanOrEqual(1);
  });

  it('begins a text within 1,000 pixels', async () => {
    await open(LONG_POST, desktop);
    expect((await page.locator('.prose > p').first().boundingBox())!.y).toBeLessThan(1_000);
  });

  it.each(addresses.flatMap((path) => [desktop, phone].map((viewport) => ({ path, ...viewport }))))(
    'has no finding in either scheme, moves nothing and needs nobody else: $path at $width',
    async ({ path, ...viewport }) => {
      const foreign: string[] = [];
      const note = (request: Request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
          foreign.push(request.url());
      };
      page.on('request', note);
      await open(path, viewport);
      page.off('request', note);
      expect(foreign).toEqual([]);
      expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
      const { sum, moved } = await layoutShift(page);
      expect(sum, moved).toBeLessThan(0.01);
      const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sticksOut).toBeLessThanOrEqual(0);
      expect(await examine(page, path)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await examine(page, `${path}, dark`, { colours: true })).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    },
  );
});
