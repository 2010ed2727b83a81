import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { startServer } from '#tests/support/server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

const random = '5uW0mZ3pYdQ8rXv1bN7kTqLc9sHfJ2aE';

/** What the start of a server logs about secrets, and whether the internal route takes the secret. */
async function start(
  secrets: { AUTH_SECRET?: string; INTERNAL_CRON_SECRET?: string },
  token = secrets.INTERNAL_CRON_SECRET ?? random,
) {
  const env = {
    ...app.variables,
    AUTH_SECRET: random,
    INTERNAL_CRON_SECRET: random,
    LOG_LEVEL: 'warn',
    ...secrets,
  };
  const server = await startServer({ env: { ...env, NODE_ENV: 'production' } });
  const authorization = `Bearer ${token}`;
  const { status } = await server
    .client()
    .post('/api/internal/posts/publish-scheduled', {}, { authorization });
  await server.stop();
  const warnings = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('openssl rand -base64 32'));
  return { status, warnings };
}

test.each([
  [{ INTERNAL_CRON_SECRET: 'short' }, ['INTERNAL_CRON_SECRET']],
  [{ AUTH_SECRET: 'a'.repeat(64) }, ['AUTH_SECRET']],
  [{ AUTH_SECRET: 'ab'.repeat(32), INTERNAL_CRON_SECRET: '0' }, ['AUTH_SECRET', 'INTERNAL_CRON_SECRET']],
])('%o works, and the start warns once how to make a good one', async (secrets, names) => {
  const { status, warnings } = await start(secrets);
  expect(status).toBe(200);
  expect(warnings).toHaveLength(1);
  for (const name of names) expect(warnings[0]).toContain(name);
});

test.each([
  ['Latin-1', 'schlüssel-für-den-auslöser'],
  ['UTF-8', Buffer.from('schlüssel-für-den-auslöser').toString('latin1')],
])('a secret with white space around it and letters beyond ASCII is taken in %s', async (_, token) => {
  const secrets = { INTERNAL_CRON_SECRET: ' schlüssel-für-den-auslöser\r' };
  expect(await start(secrets, token)).toEqual({ status: 200, warnings: [] });
});

test('random secrets are started with in silence', async () => {
  expect(await start({})).toEqual({ status: 200, warnings: [] });
});
