// How a reader's browser takes each preset: few requests, few bytes, nothing that moves, nothing from elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings } from '#app/publishing/change-settings.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { examine } from '#tests/support/axe.ts';
import { browser } from '#tests/support/browser.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const presets = ['journal', 'gazette', 'studio', 'atelier', 'notebook', 'quiet'];
const REQUESTS = 4;
const BYTES = 90_000;

let app: TestApp;
let server: TestServer;
let textPost: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createDemoContent(app);
  const { slug } = await app.db.post.findFirstOrThrow({
    where: { status: 'published', coverMediaId: null },
    orderBy: { id: 'asc' },
  });
  textPost = `/posts/${slug}`;
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** Sum of the layout shifts of a page since it began. */
const layoutShift = () =>
  new Promise<number>((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 300);
  });

describe.each(presets)('%s', (preset) => {
  beforeAll(async () => {
    await changeSettings(app, { preset });
  });

  it('loads a text post in four requests and 90 KB, from this site alone, without a script and with hardly a shift', async () => {
    const page = await (await browser()).newPage({ viewport: { width: 390, height: 800 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    const requested: string[] = [];
    page.on('request', (request) => {
      // The browser asks for the icon by itself, and keeps it.
      if (!request.url().endsWith('/favicon.svg')) requested.push(request.url());
    });
    await page.goto(server.url + textPost, { waitUntil: 'networkidle' });
    expect(requested.filter((url) => !url.startsWith(server.url))).toEqual([]);
    expect(requested.length).toBeLessThanOrEqual(REQUESTS);
    expect(bytes).toBeLessThan(BYTES);
    expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
    // None where the preloaded font arrives before anything is drawn; a late one moves a line of bold text at most.
    expect(await page.evaluate(layoutShift)).toBeLessThan(0.05);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no finding of axe in the %s scheme, and fits a phone',
    async (colorScheme) => {
      const page = await (await browser()).newPage({ viewport: { width: 360, height: 800 }, colorScheme });
      for (const path of ['/', textPost]) {
        await page.goto(server.url + path);
        expect(await examine(page, path)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      }
      await page.close();
    },
  );
});
