// What is wrong with a request's host, origin or method is the client's mistake, never a 500.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp();
  server = await startServer({ env: { ...app.variables, LOG_LEVEL: 'error' } });
});
afterAll(async () => {
  const stack = /\n? +at .+:\d+/.exec(server?.stdout() ?? '');
  await server?.stop();
  await app?.close();
  expect(stack).toBeNull();
});

const send = (method: string, path: string, headers: Record<string, string>) =>
  server.client().send(method, path, headers);

describe.each(['host', 'x-forwarded-host'])('a malformed %s', (name) => {
  it.each(['a b', '[', 'x:99999999', 'x:port', 'a/b', 'a@b', 'a\\b', '<x>', 'x:1:2', '%00', '[::1', 'a,['])(
    '%s is 400',
    async (value) => {
      for (const path of ['/', '/nowhere', '/admin/login', '/api/health'])
        expect((await send('GET', path, { [name]: value })).status, path).toBe(400);
    },
  );
});

it('two hosts are 400, whichever comes first, also on a cached page', async () => {
  const { hostname, port } = new URL(server.url);
  const statusOf = (path: string, hosts: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname).on('error', reject);
      const lines = [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `${host}`), 'Connection: close', '', ''];
      let answer = '';
      socket.on('data', (chunk) => (answer += String(chunk)));
      socket.on('close', () => resolve(answer.slice(9, 12)));
      socket.write(lines.join('\r\n'));
    });
  for (const path of ['/', '/nowhere', '/admin/login', '/api/health', '/robots.txt', '/favicon.svg']) {
    expect([path, await statusOf(path, ['Host: a.example'])]).not.toEqual([path, '400']);
    expect([path, await statusOf(path, ['Host: a.example', 'Host: b.example'])]).toEqual([path, '400']);
    expect([path, await statusOf(path, ['Host: a.example', 'hOST: a.example'])]).toEqual([path, '400']);
  }
});

it.each(['127.0.0.1', 'blog.example.org:8080', '[::1]:3000', 'my_host'])('%s is a host', async (host) => {
  for (const path of ['/', '/admin/login', '/api/health'])
    expect((await send('GET', path, { host })).status).toBe(200);
});

it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'REPORT', 'PURGE'])('%s is 405 with Allow', async (method) => {
  for (const path of ['/', '/posts/x', '/rss.xml', '/api/health', '/api/ready', '/api/internal/metrics']) {
    const { status, headers } = await send(method, path, {});
    expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
  }
  const trigger = await send(method, '/api/internal/posts/publish-scheduled', {});
  expect([trigger.status, trigger.headers.allow]).toEqual([405, 'POST']);
  expect((await send(method, '/api/none', {})).status).toBe(404);
});

it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of /api is 404 in JSON', async (method) => {
  for (const path of ['/api', '/api/']) {
    const { status, text } = await send(method, path, {});
    const error = { code: 'not_found', message: 'Not found.' };
    expect([path, status, JSON.parse(text)]).toEqual([path, 404, { data: null, error }]);
  }
});

it.each(['PUT', 'DELETE'])(
  '%s of the backend is told that forms are posted, like any address that is nothing',
  async (method) => {
    const [known, unknown] = await Promise.all(
      ['/admin/posts', '/nothing/posts'].map(async (path) => {
        const { status, headers, text } = await send(method, path, {});
        return { status, allow: headers.allow, text };
      }),
    );
    expect(known).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' });
    expect(unknown).toEqual(known);
  },
);

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  it.each<Record<string, string>>([
    { origin: 'http://other.example', host: '127.0.0.1' },
    { origin: 'null' },
    { origin: 'http://[' },
    { origin: 'https://blog.example.org:8443', host: 'blog.example.org' },
  ])('whose origin and host do not belong together is 403: %j', async (headers) => {
    for (const path of ['/admin/login', '/', '/nowhere'])
      expect((await send('POST', path, { ...form, ...headers })).status, path).toBe(403);
  });

  it.each<Record<string, string>>([
    { host: 'blog.example.org' },
    { 'x-forwarded-host': 'blog.example.org' },
    { host: '127.0.0.1:3000' },
    { 'x-forwarded-host': 'upstream:3000' },
  ])('from AUTH_URL is taken, whatever host the proxy passes on: %j', async (headers) => {
    const own = { origin: 'https://blog.example.org' };
    expect((await send('POST', '/admin/login', { ...form, ...own, ...headers })).status).toBe(400);
  });
});

it('the internal route says how it wants to be called', async () => {
  for (const [method, path] of [
    ['POST', '/api/internal/posts/publish-scheduled'],
    ['GET', '/api/internal/metrics'],
  ] as const) {
    const { status, headers } = await send(method, path, { authorization: 'Bearer wrong' });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  }
});
