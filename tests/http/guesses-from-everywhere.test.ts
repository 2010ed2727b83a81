// A private peer, as a proxy or a neighbour in the same network, can write any X-Forwarded-For: throttles by account hold
// over all addresses, and what is no address is neither stored nor believed.
import bcrypt from 'bcrypt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createQuickAdministrator } from '#tests/support/backend.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const { email, password } = administrator;

let app: TestApp;
let server: TestServer;
let userId: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: { ...app.variables, TRUST_PROXY: '1' } });
  ({ id: userId } = await createQuickAdministrator(app));
});
beforeEach(() => app.db.loginThrottle.deleteMany());
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

let addresses = 0;
const newAddress = () => `203.0.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;
const login = (fields: Record<string, string>, from = newAddress(), client: Client = server.client()) =>
  client.post('/admin/login', fields, { 'x-forwarded-for': from });
const guess = async (from?: string) => (await login({ email, password: 'wrong-password' }, from)).status;

async function guesses(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) statuses.push(await guess());
  return statuses;
}

describe('guesses from ever new addresses', () => {
  it('are told to wait after ten, and a right password is still accepted', async () => {
    const statuses = await guesses(14);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400));
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429]);
    const refused = await login({ email, password: 'wrong-password' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    expect((await login({ email, password })).status).toBe(302);
    // Other accounts are not concerned.
    expect((await login({ email: 'eve@example.org', password: 'wrong-password' })).status).toBe(400);
  });

  it('are no longer checked after a hundred, except from a known device; the wait ends within 15 minutes', async () => {
    const owner = server.client();
    expect((await login({ email, password }, newAddress(), owner)).status).toBe(302);
    await guesses(100);
    const before = await app.db.auditLog.count({ where: { action: 'login.failed' } });
    expect(await guess()).toBe(429);
    expect((await login({ email, password })).status).toBe(429);
    expect(await app.db.auditLog.count({ where: { action: 'login.failed' } })).toBe(before);
    expect((await login({ email, password }, newAddress(), owner)).status).toBe(302);
    const expire = await app.db.loginThrottle.findMany({ where: { key: { contains: email } } });
    const waits = expire.filter(({ key }) => key.startsWith('login-guesses-wait:'));
    expect(waits).toHaveLength(1);
    expect(waits[0]!.expire!.getTime() - Date.now()).toBeLessThanOrEqual(15 * 60 * 1000);
    // Once it has ended, one guess leads to the next wait.
    await app.db.loginThrottle.deleteMany({ where: { key: { startsWith: 'login-guesses-wait:' } } });
    await guess();
    expect((await login({ email, password })).status).toBe(429);
  });

  it('end with a new password by mail or command', async () => {
    await guesses(101);
    const { endLoginWaits } = await import('#app/people/passwords/throttle.server.ts');
    await endLoginWaits(app.db, email);
    expect((await login({ email, password })).status).toBe(302);
    expect(await guess()).toBe(400);
  });

  it('at once from many addresses pass the limit by no more than run at the same time', async () => {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => guess()));
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(12);
  });
});

it('requests for a reset mail from ever new addresses are limited too', async () => {
  const mail = [
    ['smtp_host', '127.0.0.1'],
    ['smtp_port', '9'],
    ['smtp_from', 'blog@example.org'],
  ] as const;
  for (const [key, value] of mail)
    await app.db.setting.update({ where: { key }, data: { value: JSON.stringify(value) } }).catch(() => {});
  const statuses: number[] = [];
  for (let number = 0; number < 12; number += 1)
    statuses.push(
      (await server.client().post('/admin/login/forgot', { email }, { 'x-forwarded-for': newAddress() }))
        .status,
    );
  if (statuses[0] !== 400) expect(statuses.slice(10)).toEqual([429, 429]);
  else expect.fail('The site sends no mail in this test.');
});

describe('X-Forwarded-For', () => {
  it.each([
    ['203.0.113.77:5000', '203.0.113.77'],
    ['[2001:db8::77]:443', '2001:db8::77'],
    ['198.51.100.9, fe80::77%eth0', 'fe80::77'],
  ])('%s is stored as %s', async (sent, stored) => {
    await login({ email: 'mallory@example.org', password: 'wrong-password' }, sent);
    const entry = await app.db.auditLog.findFirstOrThrow({
      where: { actor: 'mallory@example.org' },
      orderBy: { id: 'desc' },
    });
    expect(entry.address).toBe(stored);
  });

  it.each(['x'.repeat(6_000), 'unknown', '203.0.113.7, <script>', '"][', '1.2.3.4.5'])(
    'that is no address is dropped: %.20s',
    async (sent) => {
      await login({ email: 'mallory@example.org', password: 'wrong-password' }, sent);
      const entry = await app.db.auditLog.findFirstOrThrow({
        where: { actor: 'mallory@example.org' },
        orderBy: { id: 'desc' },
      });
      expect(entry.address).toMatch(/^(::ffff:)?127\.0\.0\.1$/);
      expect(
        (await app.db.loginThrottle.findMany()).filter(({ key }) => key.includes(sent.slice(0, 30))),
      ).toEqual([]);
    },
  );

  it('leaves a session with the address that was read', async () => {
    await app.db.user.update({ where: { id: userId }, data: { passwordHash: bcrypt.hashSync(password, 4) } });
    await login({ email, password }, '[2001:db8::99]:80');
    const session = await app.db.session.findFirst({ where: { userId }, orderBy: { createdAt: 'desc' } });
    expect(JSON.stringify(session)).toContain('2001:db8::99');
  });
});
