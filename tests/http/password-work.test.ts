// Hashing a password costs a fifth of a second of a core: nobody gets that for nothing, and nobody out of turn.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '#app/people/accounts/users.server.ts';
import { changePassword, acceptInvitation, resetPassword } from '#app/people/passwords/change.server.ts';
import { endTwoFactor } from '#app/people/second-factor.server.ts';
import { logIn } from '#app/people/sessions/log-in.server.ts';
import { issueToken } from '#app/people/tokens.server.ts';
import { createAdministrator } from '#app/publishing/accounts/change.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp();
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const unknownToken = () => randomBytes(32).toString('base64url');
const open = (page: 'reset' | 'invitation', address: string) =>
  server
    .client()
    .post(
      `/admin/login/${page}`,
      { token: unknownToken(), password: 'a-long-password' },
      { 'x-forwarded-for': address },
    );

async function processorSeconds(): Promise<number> {
  const bearer = { authorization: 'Bearer test-cron-secret' };
  const { text } = await server.client().get('/api/internal/metrics', bearer);
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]);
}

test.each(['reset', 'invitation'] as const)(
  'an unknown %s link is refused before anything is hashed',
  async (page) => {
    await open(page, '198.51.100.250');
    const before = await processorSeconds();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => open(page, `198.51.100.${number}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    // Forty hashes would take eight seconds and more.
    expect((await processorSeconds()) - before).toBeLessThan(4);
  },
);

test.each(['reset', 'invitation'] as const)(
  'a reader gets pages between thirty unknown %s links that are sent at once',
  async (page) => {
    const addresses = Array.from({ length: 30 }, (_, number) => `192.0.2.${number}`);
    // The first pages of a process are slow because V8 has not compiled them yet.
    for (const address of addresses.slice(0, 5)) await open(page, address);
    let over = false;
    const links = Promise.all(addresses.map((address) => open(page, address))).finally(() => (over = true));
    let pages = 0;
    for (; !over; pages += 1) expect((await server.client().get('/archive')).status).toBe(200);
    expect((await links).map(({ status }) => status)).toEqual(addresses.map(() => 400));
    // Once each piece of work on the links had to end before the next page: there were three.
    expect(pages).toBeGreaterThanOrEqual(8);
  },
);

test('who tries many unknown links has to wait', async () => {
  const statuses: number[] = [];
  for (let number = 0; number < 31; number += 1) statuses.push((await open('reset', '203.0.113.1')).status);
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 400));
  const refused = await open('reset', '203.0.113.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await open('reset', '203.0.113.2')).status).toBe(400);
});

/** Everything that hashes or compares a password, by name. */
async function passwordWork(): Promise<Record<string, () => Promise<unknown>>> {
  const { id: userId } = await createAdministrator(app, administrator);
  const by = { userId, actor: 'Ada', address: '203.0.113.7' };
  const { email, password } = administrator;
  const link = (purpose: 'reset' | 'invitation') => issueToken(app.db, app.clock, userId, purpose);
  const client = { address: by.address, cookies: null };
  const grace = {
    email: 'grace@example.org',
    username: 'grace',
    displayName: 'Grace',
    role: 'author' as const,
  };
  const chosen = { password: 'another-password', address: by.address };
  const change = { currentPassword: 'wrong', password: chosen.password, sessionId: '' };
  const mary = { ...administrator, ...grace, email: 'm@example.org', username: 'm' };
  const [reset, invitation] = [await link('reset'), await link('invitation')];
  return {
    login: () => logIn(app, { email, password }, client),
    reset: () => resetPassword(app, { ...chosen, token: reset }),
    invitation: () => acceptInvitation(app, { ...chosen, token: invitation }),
    'own password': () => changePassword(app, by, change),
    'second factor off': () => endTwoFactor(app, by, 'wrong'),
    'new account': () => createUser(app, by, grace, chosen.password),
    'admin:create': () => createAdministrator(app, mary),
  };
}

test('everything that hashes or compares a password waits for its turn', async () => {
  const work = Object.entries(await passwordWork());
  const release = await holdQueue(app);
  const ended: string[] = [];
  const running = work.map(async ([name, run]) => {
    await run().catch(() => undefined);
    ended.push(name);
  });
  // Whatever does not wait ends meanwhile.
  await expect.poll(() => app.loginQueue.waiting).toBe(work.length);
  expect(ended).toEqual([]);
  release();
  await Promise.all(running);
  expect(ended).toHaveLength(work.length);
});

/** Takes every slot of the app's queue. @returns what gives them back */
async function holdQueue({ loginQueue }: TestApp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await Promise.all(
    Array.from(
      { length: loginQueue.slots },
      (_, slot) =>
        new Promise<void>((begun) => {
          void loginQueue.run(`holder ${slot}`, async () => {
            begun();
            await held;
          });
        }),
    ),
  );
  return release;
}
