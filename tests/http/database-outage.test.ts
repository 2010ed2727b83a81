import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import type { Answer, Client } from '#tests/support/http-client.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { prepareTemplate } from '#tests/support/template.ts';

/** What waits for a statement's own time-out takes ten seconds. */
const nightly = process.env.NIGHTLY === '1';
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startedServer(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ env: { ...env, LOG_LEVEL: 'info' } });
  closing.push(() => server.stop());
  return server;
}

/** An app on PostgreSQL with a post, and its variables as they lead through a proxy that can fail. */
async function behindProxy(): Promise<{ app: TestApp; proxy: TcpProxy; env: Record<string, string> }> {
  const app = await createTestApp({ dialect: 'postgresql' });
  closing.push(() => app.close());
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  const url = new URL(app.variables.DATABASE_URL!);
  const proxy = await startTcpProxy(Number(url.port));
  closing.push(() => proxy.stop());
  url.port = String(proxy.port);
  return { app, proxy, env: { ...app.variables, DATABASE_URL: url.href } };
}

const statusOf = async (client: Client, path: string) => (await client.get(path)).status;
const becomes = (client: Client, path: string, status: number) =>
  expect.poll(() => statusOf(client, path), { timeout: 40_000, interval: 250 }).toBe(status);

function expectFriendly({ status, headers, text }: Answer): void {
  expect(status).toBe(503);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['cache-control']).toBe('no-store');
  expect(text).not.toMatch(/\bat .*:\d+|node_modules|prisma|postgres|sqlite|127\.0\.0\.1|Error:/i);
}

const trigger = (client: Client, secret = 'test-cron-secret') =>
  client.post('/api/internal/posts/publish-scheduled', {}, { authorization: `Bearer ${secret}` });

/** A page that was read before the outage, from memory. */
async function expectKept(client: Client, path: string): Promise<void> {
  const kept = await client.get(path);
  expect([kept.status, kept.headers.warning]).toEqual([200, '110 - "Response is Stale"']);
  const again = await client.get(path, { 'if-none-match': kept.headers.etag! });
  expect([again.status, again.headers.warning]).toEqual([304, kept.headers.warning]);
}

const pages = ['/', '/posts/calm', '/search?q=x', '/admin/login', '/nobody-knows', '/archive?page=2'];

async function expectDown(client: Client, kept: string[] = []): Promise<void> {
  for (const page of pages.filter((path) => !kept.includes(path))) {
    const answer = await client.get(page);
    expectFriendly(answer);
    expect(answer.headers['content-type'], page).toMatch(/^text\/html/);
    expect(answer.text, page).toMatch(/<h1>[^<]+<\/h1>/);
    expect(answer.headers['content-security-policy'], page).toContain("default-src 'none'");
  }
  expectFriendly(await client.post('/admin/login', { email: 'a@example.org', password: 'x' }));
  const feed = await client.get('/atom.xml');
  expectFriendly(feed);
  expect(feed.headers['content-type']).toMatch(/^text\/plain/);
  const chinese = await client.get('/', { 'accept-language': 'zh-CN' });
  expect(chinese.text).toContain('<html lang="zh-Hans"');
  expect(await statusOf(client, '/unavailable.css')).toBe(200);
  expect((await client.get('/api/health')).json()).toMatchObject({ data: { status: 'ok' }, error: null });
  const ready = await client.get('/api/ready');
  expect(ready.status).toBe(503);
  expect(ready.json()).toMatchObject({ data: { status: 'down' } });
  expect((await trigger(client, 'wrong')).status).toBe(401);
  const triggered = await trigger(client);
  expectFriendly(triggered);
  expect(triggered.json()).toMatchObject({ data: null, error: { code: 'unavailable' } });
  const metrics = await client.get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
  expect(metrics.text).toContain('dateline_database_up 0');
}

async function expectUp(client: Client): Promise<void> {
  await becomes(client, '/admin/login', 200);
  const { status, headers } = await client.get('/posts/calm');
  expect([status, headers.warning]).toEqual([200, undefined]);
  expect(await statusOf(client, '/rss.xml')).toBe(200);
  await becomes(client, '/api/ready', 200);
  expect((await trigger(client)).status).toBe(200);
}

describe('PostgreSQL', () => {
  test('down at the start, gone later: the process lives, says why, and serves as soon as it can', async () => {
    const { proxy, env } = await behindProxy();
    proxy.cut();
    const server = await startedServer(env);
    const client = server.client();
    await becomes(client, '/', 503);
    await expectDown(client);
    expect(server.stdout()).toMatch(/"reason":"[^"]+".*The database is down/);
    proxy.mend();
    await expectUp(client);
    expect(server.stdout()).toContain('The database is back');
    proxy.cut();
    await becomes(client, '/categories', 503);
    await expectKept(client, '/posts/calm');
    proxy.mend();
    await expectUp(client);
  });

  test('frozen: nothing hangs for long, readiness not at all', async () => {
    const { proxy, env } = await behindProxy();
    const server = await startedServer(env);
    const client = server.client();
    await expectUp(client);
    proxy.hang();
    const started = performance.now();
    const paths = nightly ? ['/', '/search?q=calm', '/admin/login'] : ['/'];
    const waiting = Promise.all(paths.map((path) => client.get(path)));
    expect(await statusOf(client, '/api/ready')).toBe(503);
    // The promise is two seconds; the rest is for a machine that is busy with other tests.
    expect(performance.now() - started).toBeLessThan(5_000 * crowding());
    for (const answer of await waiting) expectFriendly(answer);
    expect(performance.now() - started).toBeLessThan(30_000);
    await becomes(client, '/categories', 503);
    await expectKept(client, '/posts/calm');
    if (nightly) await expectDown(client, ['/posts/calm']);
    proxy.mend();
    await expectUp(client);
  });
});

describe('SQLite', () => {
  test('without a file, without even its folder: serves once it is migrated', async () => {
    const app = await createTestApp();
    closing.push(() => app.close());
    const url = `file:${path.join(await tempFolder(), 'data/later.db')}`;
    const server = await startedServer({ ...app.variables, DATABASE_URL: url });
    const client = server.client();
    await becomes(client, '/', 503);
    await expectDown(client);
    await prepareTemplate(url);
    await becomes(client, '/', 200);
    await becomes(client, '/admin/login', 200);
  });

  test('a file that goes, and a restored copy that takes its place, are noticed', async () => {
    const app = await createTestApp();
    closing.push(() => app.close());
    await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
    await app.db.$disconnect(); // all of it is in the one file now
    const file = app.variables.DATABASE_URL!.slice('file:'.length);
    const copy = path.join(await tempFolder(), 'copy.db');
    await copyFile(file, copy);
    const server = await startedServer(app.variables);
    const client = server.client();
    await expectUp(client);
    for (const ending of ['', '-wal', '-shm']) await rm(file + ending, { force: true });
    await becomes(client, '/posts/calm', 503);
    const said = /"reason":"[^"]+".*The database is down/;
    await expect.poll(() => server.stdout(), { timeout: 10_000 }).toMatch(said);
    expect(server.stdout()).not.toContain('The database file was replaced');
    await expectDown(client);
    await copyFile(copy, file);
    await expectUp(client);
    await expect.poll(() => server.stdout(), { timeout: 10_000 }).toContain('The database is back');
  });

  test('a file that another process keeps for itself', async () => {
    const app = await createTestApp();
    closing.push(() => app.close());
    await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
    await app.db.$disconnect();
    const holder = new BetterSqlite3(app.variables.DATABASE_URL!.slice('file:'.length));
    closing.push(async () => void holder.close());
    holder.pragma('journal_mode = DELETE');
    holder.exec('BEGIN EXCLUSIVE');
    const server = await startedServer(app.variables);
    const client = server.client();
    await becomes(client, '/posts/calm', 503);
    await expectDown(client);
    holder.exec('COMMIT');
    await expectUp(client);
  });
});
