import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import type { Client } from '#tests/support/http-client.ts';
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
/** What the server and two commands have written while everything was used. */
let log: { server: string; everything: string; lines: string[] };
/** Secrets that were made on the way: of sessions, of a preview and of a link by email. */
const tokens: string[] = [];

beforeAll(async () => {
  const variables = { AUTH_SECRET: secrets.authSecret, INTERNAL_CRON_SECRET: secrets.cronSecret };
  app = await createTestApp({ dialect: 'postgresql', variables });
  await useEverything();
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

async function useEverything() {
  const url = new URL(app.variables.DATABASE_URL!);
  const proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const env = { ...app.variables, DATABASE_URL: url.href, LOG_LEVEL: 'trace' };
  server = await startServer({ env });
  const client = server.client();
  const stranger = server.client();
  await logInAsAdministrator(app, client);
  tokens.push(...client.cookies.values());
  await failToLogIn(stranger);
  await changeSettingsAndPeople(client, stranger);
  await openPreview(client, stranger);
  await followOldLinks(stranger);
  await stranger.get(`/search?q=${secrets.query}`);
  await trigger(stranger, secrets.wrongBearer);
  await trigger(stranger, secrets.cronSecret);
  proxy.cut();
  await stranger.get('/search?q=down');
  await stranger.post('/admin/login', { email: secrets.email, password: secrets.wrongPassword });
  await trigger(stranger, secrets.cronSecret);
  await client.post('/admin/logout');
  const output = server.stdout() + server.stderr();
  const backup = path.join(await tempFolder(), 'backup');
  const commands = [
    await runCommand(['backup:export', '--output', backup], { env: app.variables }),
    await runCommand(['posts:status'], { env }),
  ];
  await proxy.stop();
  const everything = [output, ...commands.map(({ stdout, stderr }) => stdout + stderr)].join('\n');
  log = { server: output, everything, lines: server.stdout().trim().split('\n') };
}

const trigger = (client: Client, secret: string) =>
  client.post('/api/internal/posts/publish-scheduled', {}, { authorization: `Bearer ${secret}` });

async function failToLogIn(stranger: Client) {
  for (const [email, password] of [
    [secrets.strangerEmail, secrets.wrongPassword],
    [secrets.email, secrets.wrongPassword],
  ] as const)
    await stranger.post('/admin/login', { email, password });
  await stranger.post('/admin/login/forgot', { email: secrets.email });
  await stranger.get(`/admin/login?redirectTo=/x&email=${encodeURIComponent(secrets.email)}`);
}

async function changeSettingsAndPeople(client: Client, stranger: Client) {
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
}

async function openPreview(client: Client, stranger: Client) {
  const id = await createPostByForm(client, { title: 'Quiet', body: 'x', intent: 'draft', slug: '' });
  const preview = await client.post(`/admin/posts/${id}/previews`, { intent: 'create' });
  const token = /\/preview\/([\w-]{20,})/.exec(preview.text + (preview.headers.location ?? ''))?.[1];
  const shown = await client.get(`/admin/posts/${id}/previews`);
  const found = token ?? /\/preview\/([\w-]{20,})/.exec(shown.text)?.[1];
  if (found) tokens.push(found);
  await stranger.get(`/preview/${found ?? 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA'}`);
}

async function followOldLinks(stranger: Client) {
  const token = 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MDEyMzQ1Njc4OTA';
  tokens.push(token);
  for (const link of ['reset', 'invitation']) {
    const page = await stranger.get(`/admin/login/${link}?token=${token}`);
    expect(page.status).not.toBe(404);
    await stranger.post(`/admin/login/${link}`, { token, password: secrets.wrongPassword });
  }
}

describe('what is logged at the level trace while everything is used', () => {
  test('tells of requests and of the outage', () => {
    expect(log.server).toContain('"msg":"request"');
    expect(log.server).toMatch(/The database is down|Request failed/);
  });

  test.each(Object.entries(secrets))('does not hold the %s', (_name, secret) => {
    expect(log.everything.includes(secret)).toBe(false);
  });

  test('holds no token of a session, a preview or a link by email', () => {
    for (const value of tokens) expect(log.everything.includes(value)).toBe(false);
  });

  test('holds no email address', () => {
    expect(log.everything).not.toMatch(/[\w.]+@[\w-]+\.(org|example)/);
  });

  test('is a JSON object a line, and each request has its id', () => {
    const entries = log.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = entries.filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThan(5);
    for (const line of requests) expect(line.requestId).toMatch(/^[\da-f-]{36}$/);
  });
});
