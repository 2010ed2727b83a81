import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '#app/app.ts';
import { closeApp, createApp } from '#app/compose.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { parseEnv } from '#app/platform/env.server.ts';
import type { PublishResult } from '#app/publishing/trigger/publish-due.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { expectCompleteBatches } from '#tests/support/complete-batches.ts';
import { insertDuePosts } from '#tests/support/due-posts.ts';
import type { Answer } from '#tests/support/http-client.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { prepareTemplate } from '#tests/support/template.ts';

const POSTS = 1_000;
/** The first batches fit into a database file and a write-ahead log of this size, all of them do not. */
const fullDisk = { fileSizeMax: 1_000_000 };

describe('a full disk', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
    await insertPosts(app);
    // The last connection empties the write-ahead log.
    await app.db.$disconnect();
  });
  afterAll(() => app?.close());

  it('ends the command with a reason and whole batches', async () => {
    const command = await runCommand(['posts:publish-scheduled'], { env: app.variables, ...fullDisk });
    expect([command.code, command.stdout]).toEqual([1, '']);
    expect(command.stderr).toMatch(/^Publishing stopped after \d+ posts: disk I\/O error\n$/);
    const published = await expectCompleteBatches(app);
    expect(published).toBeGreaterThan(0);
    expect(published).toBeLessThan(POSTS);
    await app.db.$disconnect();
  });

  it('ends the trigger of a server, which stays alive, with whole batches', async () => {
    const server = await startServer({ env: app.variables, ...fullDisk });
    expectUnavailable(await callTrigger(server, app.variables));
    expect((await server.client().get('/api/health')).status).toBe(200);
    await server.stop();
    expect(await expectCompleteBatches(app)).toBeLessThan(POSTS);
  });

  it('has space again: the next command publishes the rest', async () => {
    const before = await expectCompleteBatches(app);
    const rest = await runCommand(['posts:publish-scheduled'], { env: app.variables });
    expect(rest.json()).toMatchObject({ publishedCount: POSTS - before });
    expect(await expectCompleteBatches(app)).toBe(POSTS);
  });
});

describe('a database that goes away in mid-run', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let env: Record<string, string>;
  let app: App;
  let server: TestServer | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.createDatabase('blog');
    const { variables } = await createTestApp();
    env = { ...variables, DATABASE_URL: postgres.urlOf('blog') };
    await prepareTemplate(env.DATABASE_URL!);
    app = await createApp(parseEnv(env, 'server'), { logTo: 'stderr' });
    await insertPosts(app);
  });
  afterAll(async () => {
    await server?.stop();
    if (app) await closeApp(app);
    await postgres?.stop();
  });

  it('ends the command, with whole batches', async () => {
    const command = runCommand(['posts:publish-scheduled'], { env });
    await untilMoreArePublished(app, 0);
    await postgres.crash();
    const { code, stdout, stderr } = await command;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Publishing stopped after \d+ posts: \S.*\n$/);
    await postgres.restart();
    expect(await expectCompleteBatches(app)).toBeLessThan(POSTS);
  });

  it('ends the trigger of a server, which stays alive', async () => {
    server = await startServer({ env });
    const published = await expectCompleteBatches(app);
    const answer = callTrigger(server, env);
    await untilMoreArePublished(app, published);
    await postgres.crash();
    expectUnavailable(await answer);
    // Without a database there is no trigger either, but the process answers.
    expectUnavailable(await callTrigger(server, env));
    expect((await server.client().get('/api/health')).status).toBe(200);
    expect((await server.client().get('/api/ready')).status).toBe(503);
  });

  it('is back: the next trigger publishes the rest', async () => {
    await postgres.restart();
    // The server checks in the background whether its database is back.
    await expect.poll(() => databaseSeenBy(server!), { timeout: 60_000, interval: 200 }).toBe('ok');
    const before = await expectCompleteBatches(app);
    const rest = await callTrigger(server!, env);
    expect(rest.status).toBe(200);
    expect(rest.json<PublishResult & Record<string, unknown>>().publishedCount).toBe(POSTS - before);
    expect(await expectCompleteBatches(app)).toBe(POSTS);
  });
});

async function insertPosts(app: App): Promise<void> {
  await insertDuePosts({ ...app, clock: systemClock }, POSTS, () => new Date(Date.now() - 60_000));
}

function callTrigger(server: TestServer, env: Record<string, string>): Promise<Answer> {
  const authorization = `Bearer ${env.INTERNAL_CRON_SECRET}`;
  return server.client().send('POST', '/api/internal/posts/publish-scheduled', { authorization });
}

async function databaseSeenBy(server: TestServer): Promise<string> {
  const { data } = (await server.client().get('/api/ready')).json<{
    data: { checks: { database: string } };
  }>();
  return data.checks.database;
}

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(answer.json()).toEqual({
    data: null,
    error: {
      code: 'unavailable',
      message: expect.stringMatching(/^(Publishing failed|The database is down)/),
    },
  });
}

async function untilMoreArePublished({ db }: Pick<App, 'db'>, count: number): Promise<void> {
  while ((await db.post.count({ where: { status: 'published' } })) <= count) await sleep(5);
}
