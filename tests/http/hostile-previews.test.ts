// Editors preview hostile text while readers read: rendering has threads of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { hostileMarkdown } from '#tests/support/hostile-markdown.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { createPerson } from '#tests/support/roles.ts';
import type { Client } from '#tests/support/http-client.ts';
import { sendRequests } from '#tests/support/send-requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let contributor: Client;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { slug: 'one', status: 'published', publishedAt: new Date(0) });
  server = await startServer({ env: app.variables });
  ({ client: contributor } = await createPerson(app, server, 'contributor'));
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** 1.6 MB whose rendering takes longer than any text may. */
const endless = hostileMarkdown['equal headings']!(400_000);

it('a text that takes too long is refused beside its field, and what was typed stays', async () => {
  for (const intent of ['preview', 'save']) {
    const { status, text } = await contributor.post('/admin/posts/new', {
      title: 'Endless',
      body: endless,
      intent,
    });
    expect(status).toBe(400);
    const [, message] = /<p class="field-error" id="[\w:-]*body-error"[^>]*>([^<]*)/.exec(text) ?? [];
    expect(message).toMatch(/^The text takes more than 5 seconds to render\./);
    expect(text.includes(endless)).toBe(true);
  }
  const { status, text } = await contributor.post('/admin/preview', { body: endless });
  expect(status).toBe(400);
  expect(text).toContain('more than 5 seconds');
  expect(await app.db.post.count()).toBe(1);
});

/** A live preview follows the typing after a pause. */
const TYPING_MS = 300;
/**
 * The longest that 99 of 100 readers may wait: 50 ms in the long form, which has the machine for itself. A rendering
 * that took the server's own thread would make them wait for seconds.
 */
const WAIT_MS = process.env.NIGHTLY ? 50 : 1_000;

/** The form of the live preview with each of the hostile texts. */
function hostilePreviews() {
  const texts = Object.values(hostileMarkdown).map((make) => make(100_000 / (make(100).length / 100)));
  const cookie = [...contributor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  return texts.flatMap((body) =>
    Array.from({ length: process.env.NIGHTLY ? 2 : 1 }, () => ({
      path: '/admin/preview',
      method: 'POST',
      headers,
      body: new URLSearchParams({ body }).toString(),
    })),
  );
}

it('readers do not wait while ten people preview hostile texts', async () => {
  const reader = server.client();
  for (let round = 0; round < 50; round += 1) await reader.get('/posts/one');
  let over = false;
  const sending = sendRequests(hostilePreviews(), { origin: server.url, atOnce: 10, pauseMs: TYPING_MS });
  void sending.finally(() => (over = true));
  const delays: number[] = [];
  while (!over) {
    const asked = performance.now();
    expect((await reader.get('/posts/one')).status).toBe(200);
    delays.push(performance.now() - asked);
    await sleep(10);
  }
  // Rendered, or told to try again; on a machine that does much else a rendering may meet its deadline.
  for (const status of await sending) expect([200, 400, 503]).toContain(status);
  const p99 = delays.sort((one, other) => one - other)[Math.floor(delays.length * 0.99)]!;
  expect(p99).toBeLessThan(WAIT_MS * crowding());
}, 180_000);
