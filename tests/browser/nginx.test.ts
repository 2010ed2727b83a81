import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#app/platform/project.server.ts';
import { createAdministrator } from '#app/auth/create-administrator.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

// Debian's nginx with the example of the handbook: only places and ports are this machine's.
let app: TestApp;
let server: TestServer;
let nginx: ChildProcess;
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
  [port, plainPort] = [await freePort(), await freePort()];
  nginx = await startNginx(await tempFolder(), uploads);
});
afterAll(async () => {
  nginx?.kill('SIGKILL');
  await server?.stop();
  await app?.close();
});

async function startNginx(folder: string, uploads: string): Promise<ChildProcess> {
  const [certificate, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=blog.example.org', '-days', '2'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  const example = await readFile(path.join(projectRoot, 'docs/operations/examples/nginx.conf'), 'utf8');
  const ours: [string, string][] = [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2; listen 127.0.0.2:${port} ssl http2;`],
    ['/etc/letsencrypt/live/blog.example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/blog.example.org/privkey.pem', key],
    ['127.0.0.1:3000', new URL(server.url).host],
    ['/srv/dateline/public/uploads/', `${uploads}/`],
  ];
  const site = ours.reduce((text, [theirs, mine]) => {
    expect(text).toContain(theirs);
    return text.replace(theirs, mine);
  }, example);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
     http { include /etc/nginx/mime.types; access_log off; ${paths.join(' ')} ${site} }`,
  );
  await chmod(folder, 0o755);
  execFileSync('/usr/sbin/nginx', ['-t', '-c', file, '-p', folder], { stdio: 'ignore' });
  const child = spawn('/usr/sbin/nginx', ['-c', file, '-p', folder], { stdio: 'ignore' });
  const isUp = () =>
    get('/api/health').then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let attempt = 0; attempt < 100 && !(await isUp()); attempt += 1) await sleep(100);
  return child;
}

interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function get(
  target: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; from?: string } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: target,
        method: options.method ?? 'GET',
        localAddress: options.from,
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

describe('the nginx example', () => {
  test('serves pages with HSTS, compressed by Dateline', async () => {
    const page = await get('/posts/calm', { headers: { 'accept-encoding': 'gzip' } });
    expect(page.status).toBe(200);
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(page.headers['strict-transport-security']).toBeDefined();
  });

  test('sends plain HTTP to HTTPS', async () => {
    const answer = await fetch(`http://127.0.0.1:${plainPort}/posts/calm`, { redirect: 'manual' });
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toMatch(/^https:\/\/.*\/posts\/calm$/);
  });

  test('serves uploads itself, never what has a dot name', async () => {
    const picture = await get('/uploads/2026/picture.svg');
    expect(picture.status).toBe(200);
    expect(picture.headers['content-security-policy']).toContain('sandbox');
    expect(picture.headers['cache-control']).toContain('immutable');
    expect(picture.headers['x-request-id']).toBeUndefined();
    for (const hidden of [
      '/uploads/.staging/secret',
      '/uploads/2026/../.staging/secret',
      '/uploads/%2estaging/secret',
    ])
      expect((await get(hidden)).status, hidden).toBe(404);
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

  test('refuses uploads beyond its limit', async () => {
    const headers = { 'content-length': String(101 * 1024 * 1024), expect: '100-continue' };
    expect((await get('/admin/media', { method: 'POST', headers })).status).toBe(413);
  });
});
