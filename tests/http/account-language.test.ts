import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let client: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { status: 'published', publishedAt: new Date('2026-03-05T09:00:00Z') });
  server = await startServer({ env: app.variables });
  client = server.client();
  await logInAsAdministrator(app, client);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const json = { accept: 'application/json' };
const datesOf = async () => (await client.get('/admin/posts')).text.match(/<time[^>]*>[^<]*/g)!.join(' ');

test('a person’s language is that of the dates in the backend; blank follows the site', async () => {
  const english = await datesOf();
  const saved = await client.post('/admin/account', { displayName: 'Ada', language: 'de' }, json);
  expect(saved.status).toBe(200);
  expect(await datesOf()).not.toBe(english);
  expect((await client.get('/admin/account')).text).toMatch(/<option[^>]*value="de"[^>]*selected/);
  // A form without the field leaves it.
  await client.post('/admin/account', { displayName: 'Ada' });
  expect(await datesOf()).not.toBe(english);
  await client.post('/admin/account', { displayName: 'Ada', language: '' });
  expect(await datesOf()).toBe(english);
});

test('an unsupported language is refused with the list', async () => {
  const answer = await client.post('/admin/account', { displayName: 'Ada', language: 'tlh' }, json);
  expect(answer.status).toBe(400);
  expect(answer.json<{ errors: { language: string } }>().errors.language).toContain('en, de, fr');
});
