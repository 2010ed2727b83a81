// What the backend sends to a browser, and how quick it is there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { openBrowserSession } from '#tests/support/browser-session.ts';
import { everyScreen, type ScreenState } from '#tests/support/every-screen.ts';
import { createPost } from '#tests/support/factories.ts';
import { createDemoContent } from '#tests/support/demo-content.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let screens: ScreenState[];
let adaId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  const room = await createDemoContent(app);
  adaId = room.ada.id;
  screens = await everyScreen(app, room);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const MAX_BYTES = 130 * 1024;
/** The live editor, which only the editor's page loads, after the page. */
const LIVE_MAX_BYTES = 200 * 1024;

it('no screen ships more than 130 KB of compressed code, the live editor 200 KB more, public pages none', async () => {
  const { page, close } = await openBrowserSession(app, server, adaId);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  // Every screen as at a first visit.
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  let liveBytes = 0;
  let counting: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    const isLive = request.url().includes('/live-editor-');
    counting.push(
      request.sizes().then(({ responseBodySize }) => {
        if (isLive) liveBytes = Math.max(liveBytes, responseBodySize);
        else bytes += responseBodySize;
      }),
    );
  });
  const sizes: Record<string, number> = {};
  for (const { name, path, loggedOut } of screens) {
    bytes = 0;
    counting = [];
    await page.goto(path, { waitUntil: 'networkidle' });
    await Promise.all(counting);
    const isPublic = loggedOut && !path.startsWith('/admin');
    if (isPublic) expect(bytes, name).toBe(0);
    else sizes[name] = bytes;
  }
  await close();
  const tooMuch = Object.entries(sizes).filter(([, size]) => size > MAX_BYTES);
  expect(tooMuch).toEqual([]);
  expect(liveBytes).toBeGreaterThan(50 * 1024);
  expect(liveBytes).toBeLessThan(LIVE_MAX_BYTES);
  const largest = Math.max(...Object.values(sizes));
  // A page for a post that does not exist comes without any.
  expect(sizes['editor-new']).toBeGreaterThan(50 * 1024);
  // For whoever wants the figures: `npm run test:browser -- client-code`.
  process.stdout.write(
    `Client code: at most ${kilobytes(largest)} KB a screen, live editor ${kilobytes(liveBytes)} KB\n`,
  );
}, 300_000);

it('typing in a post of 100 KB takes less than 8 ms a key', async () => {
  const paragraph = 'A *sentence* of **some** length that [stands](https://example.org/) in a long post.\n\n';
  const body = `## A section\n\n${paragraph.repeat(8)}- one\n- two\n\n`.repeat(150);
  const { id } = await createPost(app, { body, authorId: adaId });
  const { page, open, close } = await openBrowserSession(app, server, adaId);
  await open(`posts/${id}`);
  await page.locator('.tools').waitFor();
  const line = page.locator('.cm-line').nth(8);
  await line.click();
  const times = await page.evaluate(async () => {
    const text = document.querySelector<HTMLElement>('.cm-content')!;
    const taken: number[] = [];
    for (let key = 0; key < 120; key += 1) {
      const start = performance.now();
      text.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true }));
      document.execCommand('insertText', false, 'x');
      // CodeMirror reads what was typed right after it, and asking for a measure makes the browser lay the page out.
      await Promise.resolve();
      void text.scrollHeight;
      taken.push(performance.now() - start);
      await new Promise((done) => setTimeout(done, 10));
    }
    return taken.sort((a, b) => a - b);
  });
  await expect.poll(() => page.locator('[name=body]').inputValue()).toContain('x'.repeat(120));
  await close();
  expect(body.length).toBeGreaterThan(100_000);
  const [p25, p50, p90] = [times[30]!, times[60]!, times[108]!];
  process.stdout.write(`Typing in 100 KB: median ${p50.toFixed(1)} ms a key, p90 ${p90.toFixed(1)} ms\n`);
  // The lower quartile: what other work of the machine adds is not the page's.
  expect(p25).toBeLessThan(8);
});

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
