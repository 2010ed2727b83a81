// Editors preview hostile text while readers read: rendering has threads of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { hostileMarkdown } from '#tests/support/hostile-markdown.ts';
import { createPerson } from '#tests/support/roles.ts';
import type { Client } from '#tests/support/http-client.ts';
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

it('readers are answered while ten people preview hostile texts', async () => {
  const texts = Object.values(hostileMarkdown).map((make) => make(10_000));
  const reader = server.client();
  await reader.get('/posts/one');
  const previews = Promise.all(
    Array.from({ length: 10 }, async (_, person) => {
      const body = texts[person % texts.length]!;
      return (await contributor.post('/admin/preview', { body })).status;
    }),
  );
  let over = false;
  void previews.then(() => (over = true));
  const started = performance.now();
  let lost = 0;
  while (!over) {
    const asked = performance.now();
    expect((await reader.get('/posts/one')).status).toBe(200);
    const delay = performance.now() - asked;
    if (delay > 100) lost += delay;
  }
  // Rendered, or told to try again; on a machine that does much else a rendering may meet its deadline.
  for (const status of await previews) expect([200, 400, 503]).toContain(status);
  // Rendering on the thread that answers would make readers wait for nearly all of this time.
  expect(lost / (performance.now() - started)).toBeLessThan(0.2);
});
