// PostgreSQL with a standby (streaming replication): the primary dies, the standby takes over, nothing is restarted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeApp, createApp } from '#app/compose.server.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startPostgres, type PostgresServer } from '#tests/support/postgres.ts';
import { startStandby, type Standby } from '#tests/support/postgres-standby.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { prepareTemplate } from '#tests/support/template.ts';

let primary: PostgresServer;
let standby: Standby;
let server: TestServer;
let editor: Client;
let variables: Record<string, string>;

beforeAll(async () => {
  primary = await startPostgres();
  await primary.createDatabase('dateline');
  await prepareTemplate(primary.urlOf('dateline'));
  standby = await startStandby(primary);
  const { port } = new URL(primary.urlOf('dateline'));
  const folder = await tempFolder();
  // The standby stands first: the order is no hint.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${port}`;
  variables = {
    DATABASE_URL: `postgresql://postgres:postgres@${hosts}/dateline?target_session_attrs=read-write`,
    SEARCH_HOST: `file:${folder}/search.db`,
    UPLOADS_DIR: `${folder}/uploads`,
    AUTH_SECRET: 'test-secret-of-more-than-32-characters',
    AUTH_URL: 'https://blog.example.org',
    INTERNAL_CRON_SECRET: 'test-cron-secret',
    LOG_LEVEL: 'info',
  };
  const app = await createApp(parseEnv(variables, 'server'), { logTo: 'stderr' });
  server = await startServer({ env: variables });
  editor = server.client();
  await logInAsAdministrator(app, editor);
  await closeApp(app);
});
afterAll(async () => {
  await server?.stop();
  await primary?.stop();
});

async function save(title: string): Promise<boolean> {
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const fields = { title, slug, body: 'x', intent: 'publish' };
  const { status } = await editor.post('/admin/posts/new', fields);
  // What an editor is told of a save that failed: the form with the text, as 503.
  expect([302, 503]).toContain(status);
  return status === 302;
}

/** Reads a page again and again until the work has ended. @returns the status of each answer */
async function readDuring(page: string, work: () => Promise<void>): Promise<number[]> {
  const statuses: number[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) statuses.push((await editor.get(page)).status);
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await reading;
  }
  return statuses;
}

test('the standby takes over: pages that were read go on, saves follow, none that was confirmed is lost', async () => {
  for (let number = 0; number < 10; number += 1) expect(await save(`Before ${number}`)).toBe(true);
  expect((await editor.get('/posts/before-9')).status).toBe(200);
  primary.signal('SIGKILL');
  const statuses = await readDuring('/posts/before-9', async () => {
    // Without a writer there is nothing to save to.
    expect(await save('Between')).toBe(false);
    await standby.promote();
    await expect.poll(() => save('After'), { timeout: 30_000, interval: 250 }).toBe(true);
  });
  expect([...new Set(statuses)]).toEqual([200]);
  for (let number = 0; number < 10; number += 1)
    expect((await editor.get(`/posts/before-${number}`)).status).toBe(200);
  const answer = await editor.get('/posts/after');
  expect([answer.status, answer.headers.warning]).toEqual([200, undefined]);
  await expect.poll(async () => (await editor.get('/api/ready')).status).toBe(200);
});

test('commands follow the writer as well', async () => {
  const { code, stdout, stderr } = await runCommand(['db:migrate'], { env: variables });
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ appliedMigrations: [] });
});
