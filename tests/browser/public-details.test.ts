// Small things of readers' pages: covers that are smaller than their place, cards in a row, a drop cap over one line.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPost } from '#app/publishing/posts/save.server.ts';
import { changeSettings } from '#app/publishing/settings/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession, type BrowserSession } from '#tests/support/browser-session.ts';
import { createMedia } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let session: BrowserSession;
const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="teal"/></svg>`;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await changeSettings(app, { preset: 'journal' });
  const small = await createMedia(app, { path: '2026/11/small.webp', width: 24, height: 24 });
  const large = await createMedia(app, {
    path: '2026/11/large.webp',
    width: 1_200,
    height: 800,
    variants: JSON.stringify([
      { path: '2026/11/large-480.avif', width: 480, height: 320, mimeType: 'image/avif', bytes: 1 },
    ]),
  });
  const body = 'Short.\n\nThe second paragraph of this text.';
  const posts = [
    { title: 'Small', slug: 'small', body, coverMediaId: small.id, tags: ['sea'] },
    { title: 'Large', slug: 'large', body, coverMediaId: large.id, tags: ['sea'] },
    { title: 'Without', slug: 'without', body, tags: ['sea'] },
    // The post beside the one that is read isn't among its cards.
    { title: 'Beside', slug: 'beside', body, tags: ['sea'] },
    { title: 'Read', slug: 'read', body, tags: ['sea'] },
  ];
  // Minutes apart: the order of posts of the same second is that of their ids.
  const publishedAt = (index: number) =>
    new Date(app.clock.now().getTime() - (posts.length - index) * 60_000);
  for (const [index, fields] of posts.entries())
    await createPost(app, {
      intent: 'publish',
      editorId: null,
      fields: { ...fields, publishedAt: publishedAt(index) },
    });
  server = await startServer({ env: app.variables });
  session = await openBrowserSession(app, server, null, { viewport: { width: 1_200, height: 900 } });
  await session.page.route(/\/uploads\//, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: route.request().url().includes('small') ? svg(24, 24) : svg(1_200, 800),
    }),
  );
});
afterAll(async () => {
  await session?.close();
  await server?.stop();
  await app?.close();
});

it.each([1_200, 390])('a cover of 24 pixels is shown at its size at %i pixels', async (width) => {
  const { page } = session;
  await page.setViewportSize({ width, height: 900 });
  await page.goto('/posts/small');
  const box = await page.locator('.article > .cover').boundingBox();
  expect([box!.width, box!.height]).toEqual([24, 24]);
  await page.goto('/posts/large');
  expect((await page.locator('.article > picture > .cover').boundingBox())!.width).toBeGreaterThan(300);
});

it.each([
  [1_200, 'studio'],
  [390, 'studio'],
  [1_200, 'journal'],
  [390, 'journal'],
])('related posts with and without covers stand in one line at %i pixels in %s', async (width, preset) => {
  const { page } = session;
  await changeSettings(app, { preset });
  await page.setViewportSize({ width, height: 900 });
  await page.goto('/posts/read');
  await page.locator('.post-cards').scrollIntoViewIfNeeded();
  await page
    .locator('.post-cards img')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode());
  const cards = await page.locator('.post-cards li').evaluateAll((all) =>
    all.map((card) => {
      const { top, bottom, left } = card.getBoundingClientRect();
      const of = (selector: string) => card.querySelector(selector)?.getBoundingClientRect();
      const [cover, heading] = [of('.cover'), of('h3')!];
      const offsets = cover && [cover.top - top, cover.height, heading.top - top].map(Math.round).join(' ');
      return { offsets, top, bottom, left, isField: card.classList.contains('drawn') };
    }),
  );
  expect(cards).toHaveLength(3);
  const covered = cards.filter(({ offsets }) => offsets !== undefined);
  expect(covered).toHaveLength(2);
  expect(new Set(covered.map(({ offsets }) => offsets)).size).toBe(1);
  // The one without a picture is as high as its neighbours or below them: in a layout of pictures as a field of colour.
  expect(cards.filter(({ isField }) => isField)).toHaveLength(preset === 'studio' ? 1 : 0);
  const edges = cards.map(({ top, bottom, left }) => (width > 700 ? `${top} ${bottom}` : `${left}`));
  expect(new Set(edges).size, edges.join(', ')).toBe(1);
});

it.each([1_200, 390])('a drop cap over one line does not hang at %i pixels', async (width) => {
  const { page } = session;
  await page.setViewportSize({ width, height: 900 });
  await page.goto('/posts/read');
  const [left, right] = await page.evaluate(() => {
    const [first, second] = [...document.querySelectorAll('.prose > p')];
    const range = document.createRange();
    range.selectNodeContents(second!);
    return [first!.getBoundingClientRect().left, range.getClientRects()[0]!.left];
  });
  expect(right).toBe(left);
});
