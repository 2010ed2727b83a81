import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startTypesenseStandIn } from '#tests/support/typesense-stand-in.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(options: { env?: Record<string, string>; script?: string } = {}) {
  const app: TestApp = await createTestApp({ variables: options.env });
  closing.push(() => app.close());
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  const server: TestServer = await startServer({ env: app.variables, script: options.script });
  closing.push(() => server.stop());
  return server;
}

/** Opens connections that send nothing. */
async function openSilent(server: TestServer, count: number): Promise<Socket[]> {
  const port = Number(new URL(server.url).port);
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  closing.push(async () => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(
    sockets.map((socket) =>
      Promise.race([
        new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)),
        sleep(5_000),
      ]),
    ),
  );
  return sockets;
}

const becomes = (server: TestServer, path: string, status: number) =>
  expect
    .poll(
      () =>
        Promise.race([
          server
            .client()
            .get(path)
            .then((answer) => answer.status)
            .catch(() => 0),
          sleep(5_000, 0),
        ]),
      { timeout: 90_000, interval: 500 },
    )
    .toBe(status);

test('2,000 connections that send nothing keep no reader out', async () => {
  const server = await started();
  await openSilent(server, 2_000);
  expect((await server.client().get('/posts/calm')).status).toBe(200);
  expect((await server.client().get('/api/ready')).status).toBe(200);
});

test('with 256 files the server outlives them and serves again when they are gone', async () => {
  const server = await started({ script: 'tests/support/processes/few-files.mjs' });
  const sockets = await openSilent(server, 600);
  await sleep(1_000);
  for (const socket of sockets) socket.destroy();
  await becomes(server, '/posts/calm', 200);
  await becomes(server, '/api/ready', 200);
});

test('a search engine that takes connections and never answers', async () => {
  const engine = await startTypesenseStandIn();
  closing.push(() => engine.stop());
  engine.faults.delayMs = Infinity;
  const server = await started({ env: { SEARCH_HOST: engine.url, SEARCH_API_KEY: engine.apiKey } });
  const reader = server.client();
  const begun = performance.now();
  const [search, ready] = await Promise.all([reader.get('/search?q=calm'), reader.get('/api/ready')]);
  expect(search.status).toBe(200);
  expect(search.text).toContain('The search engine does not answer');
  expect(ready.json()).toMatchObject({ data: { status: 'degraded' } });
  expect((await reader.get('/posts/calm')).status).toBe(200);
  const trigger = await reader.post(
    '/api/internal/posts/publish-scheduled',
    {},
    { authorization: 'Bearer test-cron-secret' },
  );
  expect(trigger.status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(60_000);
});

test('SIGTERM in mid-request: the answer is finished, then the process ends', async () => {
  const engine = await startTypesenseStandIn();
  closing.push(() => engine.stop());
  engine.faults.delayMs = 1_000;
  const server = await started({ env: { SEARCH_HOST: engine.url, SEARCH_API_KEY: engine.apiKey } });
  const asked = engine.requests.length;
  const answer = server.client().get('/search?q=calm');
  await expect.poll(() => engine.requests.length).toBeGreaterThan(asked);
  const ended = server.stop();
  expect((await answer).status).toBe(200);
  expect(await ended).toBe(0);
});
