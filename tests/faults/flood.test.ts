import type { OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createPosts } from '#tests/support/factories.ts';
import { startArguments } from '#tests/support/package-scripts.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { sendRequests, type PreparedRequest } from '#tests/support/send-requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { besideReaders, READER_WAIT_MS } from '#tests/support/steady-readers.ts';

const nightly = process.env.NIGHTLY === '1';
/** Hostile requests of each kind; of texts that take long, fewer. */
const REQUESTS = nightly ? 200 : 20;
const AT_ONCE = 10;
/** Texts that take long → how many are sent at once: with footnotes, as many as may be rendered and wait for it. */
const slowTexts = new Map([
  ['text with 20,000 equal headings', nightly ? 16 : 2],
  ['text with 10,000 footnotes', nightly ? 16 : 8],
]);
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

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (path: string, body: string, headers: OutgoingHttpHeaders = {}): PreparedRequest => ({
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

const kinds: Record<string, (number: number) => PreparedRequest> = {
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

async function memoryMegabytes(): Promise<number> {
  const authorization = 'Bearer test-cron-secret';
  const { text } = await server.client().get('/api/internal/metrics', { authorization });
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 1e6;
}

test.each(Object.entries(kinds))(
  'readers notice nothing of many times %s',
  { timeout: 400_000 },
  async (name, kind) => {
    const before = crowding();
    const slow = slowTexts.get(name);
    const count = slow === undefined ? REQUESTS : nightly ? 2 * slow : slow;
    const requests = Array.from({ length: count }, (_, number) => kind(number));
    const { result: statuses, longest } = await besideReaders(server, paths, () =>
      sendRequests(requests, { origin: server.url, atOnce: slow ?? AT_ONCE }),
    );
    expect(statuses).toHaveLength(count);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(longest).toBeLessThan(READER_WAIT_MS * Math.max(before, crowding()));
    // A thread that was ended gives its memory back a moment later.
    await expect.poll(memoryMegabytes, { timeout: 60_000 }).toBeLessThan(MEMORY_MB);
  },
);

test('readers notice nothing of connections that stop in the middle of their headers', async () => {
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: REQUESTS }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    return socket;
  });
  const { longest } = await besideReaders(server, paths, () => sleep(1_500));
  expect(longest).toBeLessThan(READER_WAIT_MS * crowding());
  sockets.forEach((socket) => socket.destroy());
});
