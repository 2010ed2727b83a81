// A client that asks for JSON gets JSON for a failure of the server too, whatever address it asked for.
import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createMedia, createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const json = { accept: 'application/json' };
const browser = { accept: 'text/html,application/xhtml+xml,application/json;q=0.9' };

let app: TestApp;
let server: TestServer;
let editor: Client;
let postId: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: { ...app.variables, LOG_LEVEL: 'fatal' } });
  editor = (await createPerson(app, server, 'editor')).client;
  const publishedAt = app.clock.now();
  const cover = await createMedia(app, { variants: 'broken' });
  const post = await createPost(app, {
    slug: 'broken',
    status: 'published',
    publishedAt,
    authorId: null,
    coverMediaId: cover.id,
  });
  postId = post.id;
  await app.db.post.update({ where: { id: postId }, data: { tableOfContents: 'broken' } });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const failed = { data: null, error: { code: 'internal', message: expect.stringMatching(/\w/) as string } };
const down = { data: null, error: { code: 'unavailable', message: expect.stringMatching(/\w/) as string } };

describe('a failure (500)', () => {
  it.each(['/posts/broken', '/admin/media', '/admin/posts/:id/publish', '/admin/site/posts/broken'])(
    'of %s is JSON for scripts and a page for browsers',
    async (pattern) => {
      const path = pattern.replace(':id', postId);
      for (const encoding of ['identity', 'gzip', 'br']) {
        const answer = await editor.get(path, { ...json, 'accept-encoding': encoding });
        expect([path, answer.status, answer.headers['content-type']]).toEqual([
          path,
          500,
          'application/json; charset=utf-8',
        ]);
        if (answer.headers['content-encoding'] === undefined) expect(answer.json()).toEqual(failed);
        expect(answer.headers['cache-control']).toContain('no-store');
      }
      const page = await editor.get(path, browser);
      expect([page.status, page.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
      const head = await editor.send('HEAD', path, json);
      expect([head.status, head.text]).toEqual([500, '']);
    },
  );

  it('of a form is JSON', async () => {
    const fields = { intent: 'save', version: '1', title: 'Other' };
    await app.db.$executeRawUnsafe('ALTER TABLE revisions RENAME TO gone_revisions');
    const answer = await editor.post(`/admin/posts/${postId}`, fields, json);
    await app.db.$executeRawUnsafe('ALTER TABLE gone_revisions RENAME TO revisions');
    expect([500, 503]).toContain(answer.status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.json()).toMatchObject({ data: null, error: { code: expect.any(String) as string } });
  });
});

const addresses = [
  '/',
  '/posts/unread',
  '/archive?page=2',
  '/search?q=x',
  '/rss.xml',
  '/sitemap.xml',
  '/nothing/here',
  '/preview/x',
  '/preview/site/x/',
  '/admin/login',
  '/admin/posts',
  '/admin/posts/x/state',
  '/api/ready',
];

it('is JSON on every address while the database is down, also for forms', async () => {
  const file = app.variables.DATABASE_URL!.replace(/^file:/, '');
  await rename(file, `${file}.away`);
  await expect
    .poll(async () => (await editor.get('/admin/posts', json)).status, { timeout: 40_000 })
    .toBe(503);
  try {
    for (const path of addresses) {
      const answer = await server.client().get(path, json);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers['content-type'], path).toMatch(/^application\/json/);
      if (path !== '/api/ready') expect(answer.json(), path).toEqual(down);
      if (path !== '/api/ready') expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    for (const path of ['/admin/login', '/admin/posts/new', '/admin/media', '/nothing']) {
      const answer = await editor.post(path, { title: 'x' }, json);
      expect([path, answer.status, answer.json()]).toEqual([path, 503, down]);
    }
    const page = await server.client().get('/admin/login', browser);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
  } finally {
    await rename(`${file}.away`, file);
  }
});
