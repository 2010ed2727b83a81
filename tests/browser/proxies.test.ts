import { mkdir, writeFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startCaddy, startNginx, type RunningProxy, type StartProxy } from '#tests/support/proxies.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let server: TestServer;
let port: number;
let plainPort: number;

beforeAll(async () => {
  app = await createTestApp();
  await createAdministrator(app, administrator);
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  const uploads = app.env.uploadsDir;
  await mkdir(path.join(uploads, '2026'), { recursive: true });
  await mkdir(path.join(uploads, '.staging'), { recursive: true });
  await writeFile(path.join(uploads, '2026/picture.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(path.join(uploads, '.staging/secret'), 'secret');
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

async function start(startProxy: StartProxy): Promise<RunningProxy> {
  const backend = new URL(server.url).host;
  const place = { folder: await tempFolder(), backend, port, plainPort };
  const proxy = await startProxy(place);
  const isUp = () =>
    get('/api/health').then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let attempt = 0; attempt < 100 && !(await isUp()); attempt += 1) await sleep(100);
  return proxy;
}

interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function get(
  target: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    from?: string;
    plain?: boolean;
  } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const outgoing = (options.plain ? requestPlain : request)(
      {
        host: '127.0.0.1',
        port: options.plain ? plainPort : port,
        path: target,
        method: options.method ?? 'GET',
        localAddress: options.from,
        servername: 'blog.example.org',
        headers: { host: 'blog.example.org', ...options.headers },
        rejectUnauthorized: false,
        agent: false,
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
        incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

const proxies: [name: string, startProxy: StartProxy][] = [
  ['nginx.conf', startNginx],
  ['Caddyfile', startCaddy],
];

describe.each(proxies)('the example %s', (name, startProxy) => {
  let proxy: RunningProxy;
  beforeAll(async () => {
    [port, plainPort] = [await freePort(), await freePort()];
    proxy = await start(startProxy);
  });
  afterAll(() => proxy?.kill());

  test('serves pages with HSTS, compressed by Dateline', async () => {
    const page = await get('/posts/calm', { headers: { 'accept-encoding': 'gzip' } });
    expect(page.status).toBe(200);
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(page.headers['strict-transport-security']).toBeDefined();
  });

  test('sends plain HTTP to HTTPS', async () => {
    const { status, headers } = await get('/posts/calm', { plain: true });
    expect([301, 308]).toContain(status);
    expect(headers.location).toMatch(/^https:\/\/blog\.example\.org(:\d+)?\/posts\/calm$/);
  });

  test('passes uploads on, never what has a dot name', async () => {
    const picture = await get('/uploads/2026/picture.svg');
    expect(picture.status).toBe(200);
    expect(picture.headers['content-security-policy']).toContain('sandbox');
    expect(picture.headers['cache-control']).toContain('immutable');
    for (const hidden of [
      '/uploads/.staging/secret',
      '/uploads/2026/../.staging/secret',
      '/uploads/%2estaging/secret',
    ])
      expect([400, 404], hidden).toContain((await get(hidden)).status);
    expect((await get('/uploads/../data/x')).text).not.toContain('SQLite');
  });

  test('lets only the named addresses to the internal route', async () => {
    const options = { method: 'POST', headers: { authorization: 'Bearer test-cron-secret' } };
    expect((await get('/api/internal/posts/publish-scheduled', options)).status).toBe(200);
    const elsewhere = await get('/api/internal/posts/publish-scheduled', { ...options, from: '127.0.0.3' });
    expect(elsewhere.status).toBe(403);
  });

  test('a login through it persists, and counts the real client’s address', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://blog.example.org' };
    const { email, password } = administrator;
    const body = new URLSearchParams({ email, password }).toString();
    const headers = { ...form, 'x-forwarded-for': '198.51.100.66' };
    const login = await get('/admin/login', { method: 'POST', headers, body });
    expect(login.status).toBe(302);
    const cookies = [login.headers['set-cookie']].flat().map((cookie) => cookie!.split(';')[0]);
    expect((await get('/admin', { headers: { cookie: cookies.join('; ') } })).status).toBe(200);
    const session = await app.db.session.findFirstOrThrow();
    expect(session.address).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
  });

  // Caddy counts while it reads, so what Dateline refuses never meets Caddy's limit.
  if (name === 'nginx.conf')
    test('refuses uploads beyond its limit', async () => {
      const headers = { 'content-length': String(101 * 1024 * 1024), expect: '100-continue' };
      expect((await get('/admin/media', { method: 'POST', headers })).status).toBe(413);
    });
});
