// Limits on guessing at passwords and codes, whatever addresses the guesses come from.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rememberDevice } from '#app/people/sessions/known-device.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import { createUser } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { givePassedPassword, turnSecondFactorOn } from '#tests/support/second-factor.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const logIn = async (address: string) => {
  const wrong = { email: administrator.email, password: 'wrong' };
  return (await server.client().post('/admin/login', wrong, from(address))).status;
};

test('addresses of one IPv6 /64 are one client, those of another are not', async () => {
  for (let number = 1; number <= 4; number += 1)
    expect(await logIn(`2001:db8:1:2:${number}::${number}`)).toBe(400);
  expect(await logIn('2001:0DB8:1:2::ffff')).toBe(400);
  expect(await logIn('2001:db8:1:2::6')).toBe(429);
  expect(await logIn('2001:db8:1:3::6')).toBe(400);
});

describe('the second step', () => {
  let userId: string;
  let code: () => string;
  beforeEach(async () => {
    ({ id: userId } = await createUser(app, { role: 'author' }));
    code = await turnSecondFactorOn(app, userId);
  });

  async function passedPassword(): Promise<Client> {
    const client = server.client();
    await givePassedPassword(app, client, userId);
    return client;
  }

  /** What a code comes to: `in`, `login` (the step has ended), or a status. */
  async function answer(client: Client, value: string, address: string): Promise<string | number> {
    const { status, headers } = await client.post('/admin/login/code', { code: value }, from(address));
    if (status !== 302) return status;
    return headers.location === '/admin/login?ended' ? 'login' : 'in';
  }

  test('ends after ten wrong codes, from whatever addresses', async () => {
    const client = await passedPassword();
    for (let number = 0; number < 9; number += 1)
      expect(await answer(client, '000000', `198.51.100.${number}`)).toBe(400);
    expect(await answer(client, '000000', '198.51.100.10')).toBe('login');
    expect(await answer(client, code(), '198.51.100.11')).toBe('login');
    expect(await answer(await passedPassword(), code(), '198.51.100.12')).toBe('in');
  });

  test('waits after twenty wrong codes for one account, and lets a known device in', async () => {
    let client: Client | undefined;
    for (let number = 0; number < 20; number += 1) {
      if (number % 5 === 0) client = await passedPassword();
      expect(await answer(client!, '000000', `203.0.113.${number}`)).toBe(400);
    }
    expect(await answer(await passedPassword(), code(), '203.0.113.99')).toBe(429);
    const owner = await passedPassword();
    const device = await rememberDevice(app, new Request('https://blog.example.org'), userId);
    const [name, value] = device.split(';')[0]!.split('=') as [string, string];
    owner.cookies.set(name, value);
    expect(await answer(owner, code(), '203.0.113.99')).toBe('in');
  });

  test('works once', async () => {
    const client = await passedPassword();
    const copy = server.client();
    for (const [name, value] of client.cookies) copy.cookies.set(name, value);
    expect(await answer(client, code(), '192.0.2.1')).toBe('in');
    expect(await answer(copy, code(), '192.0.2.1')).toBe('login');
  });
});
