import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { logInAsAdministrator, createPostByForm } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startPostgres, type PostgresServer } from '#tests/support/postgres.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { prepareTemplate } from '#tests/support/template.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

// A cluster of its own, so that nothing else freezes with it.
let postgres: PostgresServer;
let server: TestServer;
let editor: Client;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('dateline');
  const folder = await tempFolder();
  const variables = {
    DATABASE_URL: postgres.urlOf('dateline'),
    SEARCH_HOST: `file:${folder}/search.db`,
    UPLOADS_DIR: `${folder}/uploads`,
    AUTH_SECRET: 'test-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    INTERNAL_CRON_SECRET: 'test-cron-secret',
    LOG_LEVEL: 'info',
  };
  await prepareTemplate(variables.DATABASE_URL);
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  server = await startServer({ env: variables });
  editor = server.client();
  await logInAsAdministrator(app, editor);
  await closeApp(app);
  await createPostByForm(editor, { title: 'Calm', slug: 'calm', body: 'x', intent: 'publish' });
});
afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
});

const becomes = (path: string, status: number) =>
  expect.poll(async () => (await editor.get(path)).status, { timeout: 60_000, interval: 250 }).toBe(status);

test('SIGSTOP: readiness answers, pages say 503, and everything works again after SIGCONT', async () => {
  postgres.signal('SIGSTOP');
  try {
    for (let round = 0; round < 3; round += 1) {
      const started = performance.now();
      expect((await editor.get('/api/ready')).status).toBe(503);
      // Two seconds are promised; the rest is for a machine that does other things too.
      expect(performance.now() - started).toBeLessThan(4_000 * crowding());
      expect((await editor.get('/api/health')).status).toBe(200);
    }
    await becomes('/posts/calm', 503);
  } finally {
    postgres.signal('SIGCONT');
  }
  await becomes('/posts/calm', 200);
  await becomes('/api/ready', 200);
  await createPostByForm(editor, { title: 'After the freeze', slug: 'thaw', body: 'x', intent: 'publish' });
  await becomes('/posts/thaw', 200);
});

test('SIGKILL of every process: nothing that was saved is lost, and the server needs no restart', async () => {
  await createPostByForm(editor, { title: 'Before', slug: 'before', body: 'x', intent: 'publish' });
  await becomes('/posts/calm', 200);
  postgres.signal('SIGKILL');
  await becomes('/posts/before', 503);
  // Asked for shortly before, so it is in memory.
  const { status, headers } = await editor.get('/posts/calm');
  expect([status, headers.warning]).toEqual([200, '110 - "Response is Stale"']);
  expect((await editor.get('/api/health')).status).toBe(200);
  await postgres.restart();
  await becomes('/posts/before', 200);
  await becomes('/api/ready', 200);
  // The editor is still logged in.
  await createPostByForm(editor, { title: 'After', slug: 'after', body: 'x', intent: 'publish' });
  expect((await editor.get('/posts/after')).status).toBe(200);
});
