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

const MAX_BYTES = 120 * 1024;

it('no screen ships more than 120 KB of compressed code, public pages none', async () => {
  const { page, close } = await openBrowserSession(app, server, adaId);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  // Every screen as at a first visit.
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  let counting: Promise<unknown>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    counting.push(request.sizes().then(({ responseBodySize }) => (bytes += responseBodySize)));
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
  const largest = Math.max(...Object.values(sizes));
  // A page for a post that does not exist comes without any.
  expect(sizes['editor-new']).toBeGreaterThan(50 * 1024);
  // For whoever wants the figures: `npm run test:browser -- client-code`.
  process.stdout.write(`Client code: at most ${kilobytes(largest)} KB a screen\n`);
}, 300_000);

it('typing in a post of 100 KB takes less than 16 ms a key', async () => {
  const body = 'A sentence of some length that stands in a very long post.\n\n'.repeat(1_800);
  const { id } = await createPost(app, { body, authorId: adaId });
  const { page, open, close } = await openBrowserSession(app, server, adaId);
  await open(`posts/${id}`);
  await page.locator('.tools').waitFor();
  const times = await page.evaluate(async () => {
    const field = document.querySelector<HTMLTextAreaElement>('[name=body]')!;
    field.focus();
    field.setSelectionRange(field.value.length / 2, field.value.length / 2);
    const taken: number[] = [];
    for (let key = 0; key < 80; key += 1) {
      const start = performance.now();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', code: 'KeyX', bubbles: true }));
      document.execCommand('insertText', false, 'x');
      // Asking for a measure makes the browser lay the page out now.
      void field.scrollHeight;
      taken.push(performance.now() - start);
      await new Promise((done) => setTimeout(done, 10));
    }
    return taken.sort((a, b) => a - b);
  });
  await close();
  // The lower quartile: what other work of the machine adds is not the page's.
  process.stdout.write(
    `Typing in 100 KB: ${times[20]!.toFixed(1)} ms a key, median ${times[40]!.toFixed(1)} ms\n`,
  );
  expect(times[20]!).toBeLessThan(16);
});

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
