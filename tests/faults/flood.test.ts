import { request, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createPosts } from '#tests/support/factories.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

/** Hostile requests of each kind. */
const REQUESTS = 200;
/** The attackers share a process and the cores with the readers: with ten, the readers wait for the sending. */
const AT_ONCE = 4;
const READERS = 50;
/** A reader's pause between two pages. */
const PAUSE_MS = 500;
const WAIT_MS = 250;
const MEMORY_MB = 400;

let app: TestApp;
let server: TestServer;
let paths: string[];
let session: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPosts(app, 20, { status: 'published', publishedAt: app.clock.now() });
  const posts = await app.db.post.findMany({ select: { slug: true } });
  paths = ['/', '/archive', '/rss.xml', ...posts.map(({ slug }) => `/posts/${slug}`)];
  const nodeOptions = [...startArguments.slice(0, -1), '--max-old-space-size=256'];
  server = await startServer({ env: app.variables, nodeOptions });
  const editor = server.client();
  await logInAsAdministrator(app, editor);
  // The first pages of a process are slow because V8 has not compiled them yet.
  for (const path of [...paths, '/admin/login', '/nothing']) await editor.get(path);
  session = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

interface Hostile {
  path: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (path: string, body: string, headers: OutgoingHttpHeaders = {}): Hostile => ({
  path,
  method: 'POST',
  headers: { ...form, ...headers },
  body,
});
const manyFields = 'a=1&'.repeat((10 * 1024 * 1024) / 4);
const oneField = `email=${'x'.repeat(2 * 1024 * 1024)}`;
const preview = (text: string) => {
  const body = new URLSearchParams({ body: text }).toString();
  return () => post('/admin/preview', body, { cookie: session });
};

const kinds: Record<string, (number: number) => Hostile> = {
  'ten megabytes of fields to the login form': () => post('/admin/login', manyFields),
  'ten megabytes of fields to a form behind it': () => post('/admin/posts/new', manyFields),
  'one field of two megabytes': () => post('/admin/login/reset', oneField),
  'wrong passwords': (number) => post('/admin/login', `email=ada%40example.org&password=guess-${number}`),
  'reset links that never were': (number) =>
    post('/admin/login/reset', `token=${number}&password=a-long-password`),
  'addresses that never were': (number) => ({ path: number % 2 ? `/posts/x-${number}` : `/x-${number}` }),
  'pages that never were': (number) => ({ path: `/?page=${1_000 + number}` }),
  'malformed addresses': (number) => ({ path: ['/%E0%A4%A', '/..%2f..%2fetc', '/%00', '//x'][number % 4]! }),
  'other methods': (number) => ({
    path: '/posts/x',
    method: ['PUT', 'DELETE', 'PATCH', 'TRACE'][number % 4]!,
  }),
  'other hosts': () => ({ path: '/', headers: { host: 'evil.example:99999', 'x-forwarded-host': '<>' } }),
  'searches of 200 characters': (number) => ({
    path: `/search?q=${encodeURIComponent(`${number} ${'ab ce '.repeat(33)}`)}`,
  }),
  'secrets that are wrong': () => ({
    path: '/api/internal/posts/publish-scheduled',
    method: 'POST',
    headers: { authorization: 'Bearer wrong' },
  }),
  'text with 20,000 equal headings': preview('# a\n'.repeat(20_000)),
  'text with 10,000 footnotes': preview(
    Array.from({ length: 10_000 }, (_, number) => `[^${number}]\n\n[^${number}]: x\n\n`).join(''),
  ),
  'text with 100,000 list marks': preview('- '.repeat(100_000)),
};

const PIECE_BYTES = 64 * 1024;

/** @returns the status; 0 where the server closed the connection before everything was sent */
function send({ path, method = 'GET', headers = {}, body = '' }: Hostile): Promise<number> {
  return new Promise((resolve) => {
    const length = method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {};
    const options = { path, method, headers: { ...headers, ...length }, agent: false };
    const outgoing = request(new URL(server.url), options, (incoming) => {
      incoming.on('error', () => {}).resume();
      incoming.on('close', () => resolve(incoming.statusCode!));
    });
    outgoing.on('error', () => resolve(0));
    // In pieces, so that the readers of this process are not held up by the attackers.
    let sent = 0;
    const sendOn = () => {
      while (sent < body.length) {
        const piece = body.slice(sent, (sent += PIECE_BYTES));
        if (!outgoing.write(piece)) return void outgoing.once('drain', sendOn);
      }
      outgoing.end();
    };
    sendOn();
  });
}

async function attack(kind: (number: number) => Hostile): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const attacker = async () => {
    while (next < REQUESTS) statuses.push(await send(kind(next++)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, attacker));
  return statuses;
}

/** Reads until it is told to stop. @returns the longest wait in milliseconds */
async function read(first: number, isOver: () => boolean): Promise<number> {
  let longest = 0;
  await sleep((first * PAUSE_MS) / READERS);
  for (let round = first; !isOver(); round += 1) {
    const started = performance.now();
    const status = await send({ path: paths[round % paths.length]! });
    expect(status).toBe(200);
    longest = Math.max(longest, performance.now() - started);
    await sleep(PAUSE_MS);
  }
  return longest;
}

async function memoryMegabytes(): Promise<number> {
  const authorization = 'Bearer test-cron-secret';
  const { text } = await server.client().get('/api/internal/metrics', { authorization });
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 1e6;
}

/** How many programs want each core: what else the machine does is not the server's fault. */
const crowding = () => Math.max(1, os.loadavg()[0]! / os.availableParallelism());

test.each(Object.entries(kinds))(
  'readers notice nothing of 200 times %s',
  { timeout: 400_000 },
  async (_, kind) => {
    let over = false;
    const isOver = () => over;
    const readers = Array.from({ length: READERS }, (_, number) => read(number, isOver));
    const before = crowding();
    const statuses = await attack(kind).finally(() => (over = true));
    const longest = Math.max(...(await Promise.all(readers)));
    expect(statuses).toHaveLength(REQUESTS);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(longest).toBeLessThan(WAIT_MS * Math.max(before, crowding()));
    expect(await memoryMegabytes()).toBeLessThan(MEMORY_MB);
  },
);

test('readers notice nothing of 200 connections that stop in the middle of their headers', async () => {
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: REQUESTS }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    return socket;
  });
  let over = false;
  const readers = Array.from({ length: READERS }, (_, number) => read(number, () => over));
  await sleep(3 * PAUSE_MS);
  over = true;
  expect(Math.max(...(await Promise.all(readers)))).toBeLessThan(WAIT_MS * crowding());
  sockets.forEach((socket) => socket.destroy());
});
