import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#app/platform/project.server.ts';
import { copyBuiltFolder } from '#tests/support/built-folder.ts';
import { runCommand } from '#tests/support/command.ts';
import { createTestDatabase } from '#tests/support/databases.ts';
import { startServer } from '#tests/support/server.ts';
import { startTcpProxy } from '#tests/support/tcp-proxy.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { startTypesenseStandIn } from '#tests/support/typesense-stand-in.ts';

// The very script of the Dockerfile's CMD in a copy of the built folder, with the environment of compose.yaml,
// outside a container.
const dockerfile = readFileSync(path.join(projectRoot, 'Dockerfile'), 'utf8');
const [program, ...command] = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!) as string[];
const nodeOptions = command.slice(0, -1);
const compose = parse(readFileSync(path.join(projectRoot, 'compose.yaml'), 'utf8')) as {
  services: { app: { environment: Record<string, string>; healthcheck: { test: string[] } } };
};

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await copyBuiltFolder();
  script = path.join(folder, command.at(-1)!);
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function containerEnvironment() {
  const database = await createTestDatabase('postgresql', { empty: true });
  closing.push(() => database.drop());
  const engine = await startTypesenseStandIn();
  closing.push(() => engine.stop());
  const { TRUST_PROXY } = compose.services.app.environment;
  return {
    TRUST_PROXY: TRUST_PROXY!,
    DATABASE_URL: database.url,
    SEARCH_HOST: engine.url,
    SEARCH_API_KEY: engine.apiKey,
    AUTH_SECRET: 'a-secret-of-more-than-32-characters-for-this',
    AUTH_URL: 'https://blog.example.org',
    INTERNAL_CRON_SECRET: 'cron',
    UPLOADS_DIR: path.join(await tempFolder(), 'uploads'),
  };
}

test('migrates, seeds and serves on an empty PostgreSQL, and stops at SIGTERM', async () => {
  expect(program).toBe('node');
  const env = await containerEnvironment();
  const server = await startServer({ env, script, nodeOptions, cwd: folder });
  const client = server.client();
  expect((await client.get('/')).status).toBe(200);
  const ready = await client.get('/api/ready');
  expect(ready.json()).toMatchObject({ data: { status: 'ok' } });
  const account = ['a@example.org', 'ada', 'Ada', 'a-long-password'];
  const created = await runCommand(['admin:create', ...account], { env, folder });
  expect(created.stdout).toBe('Admin user ready: a@example.org\n');
  const login = { email: 'a@example.org', password: 'a-long-password' };
  const { status, headers } = await client.post('/admin/login', login);
  expect(status).toBe(302);
  expect(headers['set-cookie']!.every((cookie) => cookie.includes('Secure'))).toBe(true);
  // The check of compose.yaml, with this server's port.
  const [, , , code] = compose.services.app.healthcheck.test;
  const asked = spawnSync(process.execPath, [
    '-e',
    code!.replace('127.0.0.1:3000', new URL(server.url).host),
  ]);
  expect(asked.status).toBe(0);
  expect(await server.stop()).toBe(0);
});

test('lives without a database and prepares it when it comes', async () => {
  const env = await containerEnvironment();
  const url = new URL(env.DATABASE_URL);
  const proxy = await startTcpProxy(Number(url.port));
  closing.push(() => proxy.stop());
  url.port = String(proxy.port);
  proxy.cut();
  const server = await startServer({ env: { ...env, DATABASE_URL: url.href }, script, cwd: folder });
  closing.push(() => server.stop());
  const client = server.client();
  await expect.poll(async () => (await client.get('/')).status, { timeout: 20_000 }).toBe(503);
  proxy.mend();
  await expect.poll(async () => (await client.get('/')).status, { timeout: 40_000 }).toBe(200);
});

test('placeholders end it at once', async () => {
  const started = startServer({
    env: { ...compose.services.app.environment, NODE_ENV: 'production' },
    script,
  });
  await expect(started).rejects.toThrow('AUTH_SECRET is not configured');
});
