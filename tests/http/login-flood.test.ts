import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdministrator } from '#app/publishing/create-administrator.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const nightly = process.env.NIGHTLY === '1';
const FLOOD_MS = nightly ? 60_000 : 4_000;
// The short form shares two cores with three other test files.
const PER_SECOND = nightly ? 40 : 15;
/** Five passwords of each are compared, a quarter of a second of a core each. */
const ADDRESSES = nightly ? 10 : 4;

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp({ variables: { LOG_LEVEL: 'error' } });
  await createAdministrator(app, administrator);
  await createPost(app, { slug: 'calm', status: 'published', publishedAt: app.clock.now() });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const { email, password } = administrator;
const login = (address: string, fields: Record<string, string>, client = server.client()) =>
  client.post('/admin/login', fields, { 'x-forwarded-for': address });

/** Pages a second that one reader gets, one after the other. */
async function readFor(milliseconds: number): Promise<number> {
  const reader = server.client();
  const ends = performance.now() + milliseconds;
  let pages = 0;
  while (performance.now() < ends) {
    expect((await reader.get('/posts/calm')).status).toBe(200);
    pages += 1;
  }
  return pages / (milliseconds / 1000);
}

test('a flood of wrong passwords lets nobody in and keeps neither the owner nor readers out', async () => {
  const owner = server.client();
  expect((await login('198.51.100.1', { email, password }, owner)).status).toBe(302);
  await readFor(500);
  const calm = await readFor(FLOOD_MS / 2);
  const answers: Promise<number>[] = [];
  let over = false;
  const flood = (async () => {
    for (let number = 0; !over; number += 1) {
      const address = `203.0.113.${number % ADDRESSES}`;
      answers.push(login(address, { email, password: `guess-${number}` }).then(({ status }) => status));
      await sleep(1000 / PER_SECOND);
    }
  })();
  const flooded = await readFor(FLOOD_MS);
  // The owner, from home, from a new place, and from a known device at an address that is being used for the flood.
  expect((await login('198.51.100.1', { email, password })).status).toBe(302);
  expect((await login('198.51.100.77', { email, password })).status).toBe(302);
  expect((await login('203.0.113.3', { email, password }, owner)).status).toBe(302);
  over = true;
  await flood;
  const statuses = await Promise.all(answers);
  const failures = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  expect(failures.slice(0, 3)).toEqual([]);
  expect(statuses.filter((status) => status !== 400 && status !== 429)).toEqual([]);
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(5 * ADDRESSES);
  const metrics = await server
    .client()
    .get('/api/internal/metrics', { authorization: 'Bearer test-cron-secret' });
  const counted = (outcome: string) =>
    Number(new RegExp(`dateline_logins_total{outcome="${outcome}"} (\\d+)`).exec(metrics.text)?.[1] ?? 0);
  expect(counted('succeeded')).toBe(4);
  expect(counted('failed')).toBe(statuses.filter((status) => status === 400).length);
  // Most are refused from memory, so that they cost readers nothing.
  expect(counted('throttled')).toBeGreaterThan(0);
  expect(counted('throttled')).toBeLessThanOrEqual(statuses.filter((status) => status === 429).length);
  // Other tests share the machine, so only the long form holds it to the half that is promised.
  const ratio = flooded / calm;
  process.stderr.write(`Reading beside ${PER_SECOND} wrong passwords a second: ${ratio.toFixed(2)}\n`);
  if (nightly) expect(ratio).toBeGreaterThan(0.5);
}, 180_000);
