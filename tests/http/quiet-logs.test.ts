import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const secrets = {
  password: administrator.password,
  wrongPassword: 'wr0ng-Passw0rd-nobody-has',
  email: administrator.email,
  strangerEmail: 'stranger@somewhere.example',
  databasePassword: 'postgres:postgres',
  authSecret: 'auth-secret-that-nobody-may-ever-see-1234',
  cronSecret: 'cron-secret-that-nobody-may-see',
  wrongBearer: 'wrong-bearer-token-000',
  smtpPassword: 'smtp-password-5678',
  query: 'embarrassing-illness',
};

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  const variables = { AUTH_SECRET: secrets.authSecret, INTERNAL_CRON_SECRET: secrets.cronSecret };
  app = await createTestApp({ dialect: 'postgresql', variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

test('a tour of everything leaves nothing in the log that is nobody else’s business', async () => {
  const url = new URL(app.variables.DATABASE_URL!);
  const proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const env = { ...app.variables, DATABASE_URL: url.href, LOG_LEVEL: 'trace' };
  server = await startServer({ env });
  const client = server.client();
  const tokens: string[] = [];
  await logInAsAdministrator(app, client);
  tokens.push(...client.cookies.values());
  const stranger = server.client();
  for (const [email, password] of [
    [secrets.strangerEmail, secrets.wrongPassword],
    [secrets.email, secrets.wrongPassword],
  ] as const)
    await stranger.post('/admin/login', { email, password });
  await stranger.post('/admin/login/forgot', { email: secrets.email });
  await stranger.get(`/admin/login?redirectTo=/x&email=${encodeURIComponent(secrets.email)}`);
  await client.post('/admin/settings/email', {
    smtp_host: '127.0.0.1',
    smtp_port: '1',
    smtp_secure: 'none',
    smtp_username: 'mailer',
    smtp_password: secrets.smtpPassword,
    smtp_from: secrets.email,
  });
  await stranger.post('/admin/login/forgot', { email: secrets.email });
  await client.post('/admin/users/new', {
    email: 'new@somewhere.example',
    username: 'new',
    displayName: 'New',
    role: 'editor',
  });
  await client.post('/admin/account', { intent: 'password', currentPassword: secrets.wrongPassword });
  const id = await createPostByForm(client, { title: 'Quiet', body: 'x', intent: 'draft', slug: '' });
  const preview = await client.post(`/admin/posts/${id}/previews`, { intent: 'create' });
  const token = /\/preview\/([\w-]{20,})/.exec(preview.text + (preview.headers.location ?? ''))?.[1];
  const shown = await client.get(`/admin/posts/${id}/previews`);
  const found = token ?? /\/preview\/([\w-]{20,})/.exec(shown.text)?.[1];
  if (found) tokens.push(found);
  await stranger.get(`/preview/${found ?? 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA'}`);
  const resetToken = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA';
  tokens.push(resetToken);
  for (const link of ['reset', 'invitation']) {
    const page = await stranger.get(`/admin/login/${link}?token=${resetToken}`);
    expect(page.status).not.toBe(404);
    await stranger.post(`/admin/login/${link}`, { token: resetToken, password: secrets.wrongPassword });
  }
  await stranger.get(`/search?q=${secrets.query}`);
  const trigger = (secret: string) =>
    stranger.post('/api/internal/posts/publish-scheduled', {}, { authorization: `Bearer ${secret}` });
  await trigger(secrets.wrongBearer);
  await trigger(secrets.cronSecret);
  proxy.cut();
  await stranger.get('/search?q=down');
  await stranger.post('/admin/login', { email: secrets.email, password: secrets.wrongPassword });
  await trigger(secrets.cronSecret);
  await client.post('/admin/logout');
  const output = server.stdout() + server.stderr();
  const backup = path.join(await tempFolder(), 'backup');
  const commands = [
    await runCommand(['backup:export', '--output', backup], { env: app.variables }),
    await runCommand(['posts:status'], { env }),
  ];
  await proxy.stop();
  const all = [output, ...commands.map(({ stdout, stderr }) => stdout + stderr)].join('\n');
  expect(output).toContain('"msg":"request"');
  expect(output).toMatch(/The database is down|Request failed/);
  for (const [name, secret] of Object.entries(secrets)) expect(all.includes(secret), name).toBe(false);
  for (const value of tokens) expect(all.includes(value)).toBe(false);
  expect(all).not.toMatch(/[\w.]+@[\w-]+\.(org|example)/);
  // Each line of the server is JSON, and each request has its id.
  const lines = server.stdout().trim().split('\n');
  const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of requests.filter(({ msg }) => msg === 'request'))
    expect(line.requestId).toMatch(/^[\da-f-]{36}$/);
});
