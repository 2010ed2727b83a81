import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { Agent as SecureAgent, get as getSecurely } from 'node:https';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPosts } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startNginx } from '#tests/support/proxies.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const POSTS = 50;
/** Through nginx. The clients ask until both servers have restarted, which takes the short form as many. */
const REQUESTS = process.env.NIGHTLY ? 10_000 : 500;
let app: TestApp;
let slugs: string[];
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPosts(app, POSTS, { status: 'published', publishedAt: app.clock.now() });
  slugs = (await app.db.post.findMany({ select: { slug: true } })).map(({ slug }) => slug);
});
afterAll(() => app?.close());

interface Told {
  status: number;
  connection: string | undefined;
}

/** One request over a connection that is kept. */
function ask(url: string, agent: Agent, path: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    get(new URL(path, url), { agent }, (incoming) => {
      incoming.resume();
      const { statusCode: status = 0, headers } = incoming;
      incoming.on('end', () => resolve({ status, connection: headers.connection }));
      incoming.on('error', reject);
    }).on('error', reject);
  });
}

const pathOf = (round: number) =>
  round % 5 === 0 ? `/search?q=post+${round}` : `/posts/${slugs[round % POSTS]!}`;

test('a stop signal cuts no request of 40 clients that keep their connections', async () => {
  const server = await startServer({ env: app.variables });
  let answered = 0;
  let stopped: Promise<number | null> | undefined;
  /** Asks until an answer says that the connection closes. */
  const client = async (number: number): Promise<string> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = number; ; round += 1) {
      const { status, connection } = await ask(server.url, agent, pathOf(round));
      if (status !== 200) return `status ${status}`;
      if (connection === 'close') return stopped ? 'closed' : 'closed too early';
      answered += 1;
      if (answered >= 400) stopped ??= server.stop();
    }
  };
  const ends = await Promise.all(Array.from({ length: 40 }, (_, number) => client(number)));
  expect(new Set(ends)).toEqual(new Set(['closed']));
  expect(await stopped).toBe(0);
});

test('while it stops, readiness is 503 at once, and connections without a request close', async () => {
  const server = await startServer({ env: app.variables });
  const port = Number(new URL(server.url).port);
  const silent = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(server.url, agent, '/api/ready')).status).toBe(200);
  const closed = Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
  const started = performance.now();
  const stopped = server.stop();
  // The signal and this request are on their way together: readiness may still answer before it.
  const ready = await server.client().get('/api/ready');
  const again = ready.status === 503 ? ready : await server.client().get('/api/ready');
  expect(again.status).toBe(503);
  expect(again.json()).toMatchObject({ data: { status: 'down', checks: { database: 'stopping' } } });
  expect(again.headers.connection).toBe('close');
  expect(await ask(server.url, agent, `/posts/${slugs[0]!}`)).toEqual({ status: 200, connection: 'close' });
  await closed;
  expect(await stopped).toBe(0);
  // Far less than the ten seconds that requests in flight have.
  expect(performance.now() - started).toBeLessThan(8_000);
});

/** Servers at these ports behind one nginx; the test closes it. */
async function startBehindNginx(ports: readonly [number, number]) {
  const start = (port: number) => startServer({ env: app.variables, port });
  const servers: [TestServer, TestServer] = [await start(ports[0]), await start(ports[1])];
  const [port, plainPort] = [await freePort(), await freePort()];
  const place = { folder: await tempFolder(), uploads: app.env.uploadsDir, port, plainPort };
  const backend = ports.map((own) => `127.0.0.1:${own} max_fails=0`).join('; server ');
  const nginx = await startNginx({ ...place, backend });
  const agent = new SecureAgent({ keepAlive: true, maxSockets: 20, rejectUnauthorized: false });
  return {
    /** @returns the status of the answer, 0 without one */
    get: (path: string): Promise<number> =>
      new Promise((resolve) => {
        const headers = { host: 'blog.example.org' };
        getSecurely({ host: '127.0.0.1', port, path, agent, headers }, (incoming) => {
          incoming.resume().on('end', () => resolve(incoming.statusCode!));
          incoming.on('error', () => resolve(0));
        }).on('error', () => resolve(0));
      }),
    async restart(which: 0 | 1): Promise<void> {
      expect(await servers[which].stop()).toBe(0);
      servers[which] = await start(ports[which]);
    },
    async close(): Promise<void> {
      await nginx.kill();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

test(`of ${REQUESTS} requests none is lost while two servers behind nginx restart one after the other`, async () => {
  const proxied = await startBehindNginx([await freePort(), await freePort()]);
  try {
    await expect.poll(() => proxied.get('/')).toBe(200);
    let sent = 0;
    let restarts: Promise<void> | undefined;
    let restarted = false;
    const restartBoth = () => proxied.restart(0).then(() => proxied.restart(1));
    const statuses = new Map<number, number>();
    // The clients keep asking until both have restarted, however fast this machine is.
    const reader = async () => {
      while (sent < REQUESTS || !restarted) {
        sent += 1;
        if (sent === REQUESTS / 10) restarts = restartBoth().finally(() => (restarted = true));
        const status = await proxied.get(pathOf(sent));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 20 }, reader));
    await restarts;
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThanOrEqual(REQUESTS);
  } finally {
    await proxied.close();
  }
});
