import { afterAll, expect, test } from 'vitest';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';

let development: TestServer | undefined;
afterAll(() => development?.stop());

test('pages are served under `npm run dev` as by the built server', async () => {
  const { app, editor } = await openSite();
  await publishPage(editor);
  const env = { ...app.variables, NODE_ENV: 'development' };
  development = await startServer({ script: 'bin/dev.mjs', args: ['--host', '127.0.0.1'], env });
  const reader = development.client();
  const answer = await reader.get('/workshop');
  expect([answer.status, answer.text.includes('All of Workshop')], development.stderr()).toEqual([200, true]);
  expect((await reader.get('/workshop/')).headers.location).toBe('/workshop');
  expect((await reader.get('/nothing')).status).toBe(404);
});

async function publishPage(editor: Client): Promise<void> {
  const fields = { title: 'Workshop', body: 'All of Workshop', type: 'page', intent: 'publish' };
  expect((await editor.post('/admin/posts/new', fields)).status).toBe(302);
}
