// What doctor says when the running server has other secrets or another database than the command.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { application } from '#app/platform/project.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

let app: TestApp;
let other: TestApp;
let server: TestServer;
beforeAll(async () => {
  [app, other] = await Promise.all([createTestApp({ now: new Date() }), createTestApp()]);
  const { AUTH_URL: _, ...env } = app.variables;
  server = await startServer({ env: { ...env, LOG_LEVEL: 'info', NODE_ENV: 'production' } });
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([app?.close(), other?.close()]);
});

const names = ['auth_secret', 'cron_secret', 'instance', 'forwarded'];

async function diagnose(changes: Record<string, string> = {}) {
  const env = { ...app.variables, AUTH_URL: server.url, ...changes };
  const { code, json } = await runCommand(['doctor'], { env });
  const { ok, version, checks } = json<{
    ok: boolean;
    version: string;
    checks: { name: string; status: string; message: string }[];
  }>();
  expect({ code, version }).toEqual({ code: ok ? 0 : 1, version: application.version });
  const states = names.map((name) => checks.find((check) => check.name === name)!.status);
  return {
    states: states.join(' '),
    messageOf: (name: string) => checks.find((check) => check.name === name)!.message,
  };
}

it('all is well with the same secrets and database', async () => {
  expect((await diagnose()).states).toBe('ok ok ok ok');
});

it('another secret or database is a problem, and a missing one', async () => {
  const wrong = await diagnose({
    AUTH_SECRET: 'another secret of more than 32 characters',
    DATABASE_URL: other.variables.DATABASE_URL!,
  });
  expect(wrong.states).toBe('problem ok problem ok');
  expect(wrong.messageOf('instance')).toMatch(/another database/);
  expect((await diagnose({ INTERNAL_CRON_SECRET: 'wrong' })).states).toBe('ok problem ok ok');
  expect((await diagnose({ INTERNAL_CRON_SECRET: '' })).messageOf('cron_secret')).toMatch(
    /^INTERNAL_CRON_SECRET is not set here/,
  );
});

it('a proxy that passes nothing on is a problem, and one that lets clients choose their address', async () => {
  const { port } = new URL(server.url);
  const passed: Record<string, string | undefined> = {};
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, ...passed };
    for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
    request({ host: '127.0.0.1', port, path: incoming.url, headers }, (theirs) => {
      answer.writeHead(theirs.statusCode!, theirs.headers);
      theirs.pipe(answer);
    }).end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const AUTH_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  try {
    expect((await diagnose({ AUTH_URL })).messageOf('forwarded')).toMatch(
      /^A client can choose its own address/,
    );
    Object.assign(passed, { 'x-forwarded-for': undefined, host: 'inside' });
    const silent = await diagnose({ AUTH_URL });
    expect(silent.messageOf('forwarded')).toMatch(/sees the host inside: .* does not set X-Forwarded-For/);
    Object.assign(passed, { 'x-forwarded-for': '198.51.100.7', host: new URL(AUTH_URL).host });
    expect((await diagnose({ AUTH_URL })).states).toBe('ok ok ok ok');
  } finally {
    proxy.close();
  }
});

it('a server that does not answer is one problem, not five', async () => {
  const away = await diagnose({ AUTH_URL: 'http://127.0.0.1:1' });
  expect(away.states).toBe('warning warning warning warning');
});

it('the server answers nobody who proves no secret', async () => {
  const client = server.client();
  for (const authorization of ['', 'Bearer test-cron-secret', `Dateline ${'n'.repeat(32)}.-.-`]) {
    const { status, text } = await client.get('/api/internal/comparison', { authorization });
    expect({ status, text: text.slice(0, 12) }).toEqual({ status: 401, text: '{"data":null' });
  }
});

it('lists every finding, and leaves a SEARCH_HOST that names another file as it is', async () => {
  const folder = await tempFolder();
  const file = path.join(folder, 'notes.txt');
  await writeFile(file, 'These are notes, and no search index.');
  const { json } = await runCommand(['doctor'], {
    env: {
      ...app.variables,
      AUTH_URL: server.url,
      SEARCH_HOST: `file:${file}`,
      AUTH_SECRET: 'short',
      MEDIA_URL: 'x',
    },
  });
  const { checks } = json<{ checks: { name: string; message: string }[] }>();
  const messageOf = (name: string) => checks.find((check) => check.name === name)!.message;
  expect(messageOf('environment')).toMatch(/MEDIA_URL/);
  const valid = await diagnose({ SEARCH_HOST: `file:${file}` });
  expect(valid.messageOf('search')).toMatch(/is not a search index/);
  const database = other.variables.DATABASE_URL!.slice('file:'.length);
  const before = await readFile(database);
  expect((await diagnose({ SEARCH_HOST: `file:${database}` })).messageOf('search')).toMatch(
    /is a database, but not a search index/,
  );
  expect(await readFile(database)).toEqual(before);
  expect(await readdir(folder)).toEqual(['notes.txt']);
  expect(await readFile(file, 'utf8')).toBe('These are notes, and no search index.');
  expect(messageOf('environment')).toMatch(/AUTH_SECRET|MEDIA_URL/);
});

it('the first line of the log names the version and what it uses, a last one why the server stops', async () => {
  const lines = server.stdout().split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    version: application.version,
    database: expect.stringMatching(/^sqlite /),
    media: expect.stringMatching(/^folder /),
    search: expect.stringMatching(/^embedded /),
  });
  const { text } = await server
    .client()
    .get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
  expect(text).toContain(
    `dateline_build_info{version="${application.version}",node="${process.versions.node}",database="sqlite"} 1`,
  );
  expect(await server.stop()).toBe(0);
  expect(server.stdout()).toMatch(/"reason":"SIGTERM".*"Dateline is stopping"/);
});
