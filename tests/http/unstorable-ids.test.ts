// PostgreSQL refuses a text with a NUL character, also as the id of something to look up.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPerson } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let client: Client;

beforeAll(async () => {
  app = await createTestApp({ now: new Date(), dialect: 'postgresql' });
  server = await startServer({ env: app.variables });
  ({ client } = await createPerson(app, server, 'administrator'));
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const cursor = encodeURIComponent(JSON.stringify(['a\0', 'x']));

it.each(['author=%00', 'tag=%00', 'undo=%00', `sort=title&after=${cursor}`])(
  'a list with ?%s is refused',
  async (query) => {
    expect((await client.get(`/admin/posts?${query}`)).status).toBe(400);
  },
);

it.each<[string, Fields]>([
  ['undo', { id: '\0' }],
  ['trash', { id: '\0', kind: 'post', intent: 'restore' }],
  ['posts/bulk', { ids: '\0', action: 'publish', confirmed: 'yes' }],
  ['calendar', { intent: 'move', postId: '\0', version: '1', publishedAt: '2030-01-01T10:00' }],
  ['account', { intent: 'end-session', sessionId: '\0' }],
  ['releases/new', { name: 'Spring', add: '\0' }],
])('a form of /%s is refused', async (path, fields) => {
  const inJson = await client.post(`/admin/${path}`, fields, { accept: 'application/json' });
  expect(inJson.status).toBe(400);
  expect(inJson.json()).toEqual({ errors: { '': expect.stringContaining('cannot be stored') } });
});
