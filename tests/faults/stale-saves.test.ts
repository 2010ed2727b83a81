// Comparing two long texts takes long. Readers, and the end of the process, do not wait for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createPost, createPosts } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { crowding } from '#tests/support/processor-time.ts';
import { sendRequests, type PreparedRequest } from '#tests/support/send-requests.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { besideReaders, READER_WAIT_MS } from '#tests/support/steady-readers.ts';

const LINES = 30_000;
const STOP_MS = 10_000;

const linesOf = (word: string) =>
  Array.from({ length: LINES }, (_, number) => `${word} ${number}`).join('\n');

let app: TestApp;
let server: TestServer;
let editor: Client;
let session: string;
let paths: string[];
let id: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPosts(app, 20, { status: 'published', publishedAt: app.clock.now() });
  const posts = await app.db.post.findMany({ select: { slug: true } });
  paths = ['/', '/archive', '/rss.xml', ...posts.map(({ slug }) => `/posts/${slug}`)];
  ({ id } = await createPost(app, { title: 'Long', body: 'Short.' }));
  server = await startServer({ env: app.variables });
  editor = server.client();
  await logInAsAdministrator(app, editor);
  // Versions 2 and 3: a save from version 2 has an original, one from version 1 has none.
  for (const [version, word] of [
    ['1', 'first'],
    ['2', 'theirs'],
  ] as const)
    expect((await editor.post(path(), { version, intent: 'save', body: linesOf(word) })).status).toBe(302);
  // The first pages of a process are slow because V8 has not compiled them yet.
  for (const each of [...paths, path(), `${path()}/revisions`]) await editor.get(each);
  session = [...editor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const path = () => `/admin/posts/${id}`;

function staleSave(version: string, word: string, accept = 'text/html'): PreparedRequest {
  const body = new URLSearchParams({ version, intent: 'save', body: linesOf(word) }).toString();
  const headers = { cookie: session, accept, 'content-type': 'application/x-www-form-urlencoded' };
  return { path: path(), method: 'POST', headers, body };
}

const sendAtOnce = (requests: PreparedRequest[]) =>
  sendRequests(requests, { origin: server.url, atOnce: requests.length });

test.each([
  ['stale saves', () => [staleSave('2', 'mine'), staleSave('1', 'other')]],
  [
    'stale saves of a script',
    () => [staleSave('2', 'a', 'application/json'), staleSave('1', 'b', 'application/json')],
  ],
  [
    'comparisons of revisions',
    () => Array.from({ length: 2 }, () => ({ path: `${path()}/revisions`, headers: { cookie: session } })),
  ],
])(`readers notice nothing of two %s of ${LINES} lines`, { timeout: 300_000 }, async (name, make) => {
  const before = crowding();
  const { result: statuses, longest } = await besideReaders(server, paths, () => sendAtOnce(make()));
  expect(statuses.filter((status) => status !== 503)).toEqual(
    statuses.map(() => (name.startsWith('stale') ? 409 : 200)),
  );
  expect(longest).toBeLessThan(READER_WAIT_MS * Math.max(before, crowding()));
});

test('a stop signal ends the process while it compares', { timeout: 300_000 }, async () => {
  const before = crowding();
  const newest = () =>
    app.db.revision
      .findFirst({ where: { postId: id, kind: 'conflict' }, orderBy: { id: 'desc' }, select: { id: true } })
      .then((row) => row?.id);
  const earlier = await newest();
  const saves = sendAtOnce([staleSave('2', 'last'), staleSave('1', 'least')]);
  // A refused text is kept as a revision before it is compared.
  await expect.poll(newest, { timeout: 120_000 }).not.toBe(earlier);
  const started = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(STOP_MS * Math.max(before, crowding()));
  expect((await saves).filter((status) => status >= 500 && status !== 503)).toEqual([]);
});
