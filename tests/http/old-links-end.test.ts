// Whatever changes who may use an account ends its reset link, its invitation and its half-finished logins.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueToken } from '#app/people/tokens.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, logInAsAdministrator } from '#tests/support/backend.ts';
import { runCommand } from '#tests/support/command.ts';
import { createPost, createUser } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { logIn } from '#tests/support/roles.ts';
import { givePassedPassword, turnSecondFactorOn } from '#tests/support/second-factor.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let admin: Client;
let passwordHash: string;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  admin = server.client();
  await logInAsAdministrator(app, admin);
  const { email } = administrator;
  passwordHash = (await app.db.user.findUniqueOrThrow({ where: { email } })).passwordHash!;
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

type Person = Awaited<ReturnType<typeof createUser>>;

const saved = (person: Person, change: Record<string, string>) => {
  const { email, displayName, role } = person;
  return admin.post(`/admin/users/${person.id}`, { intent: 'save', email, displayName, role, ...change });
};

const changes: Record<string, (person: Person, reset: string) => Promise<{ status: number | null }>> = {
  'a changed email address': (person) => saved(person, { email: `new-${person.email}` }),
  'a changed role': (person) => saved(person, { role: 'editor' }),
  'a disabled account': async (person) => {
    await admin.post(`/admin/users/${person.id}`, { intent: 'disable' });
    return admin.post(`/admin/users/${person.id}`, { intent: 'enable' });
  },
  'a password changed by its owner': async (person) => {
    const password = 'a-changed-password';
    const form = { intent: 'password', currentPassword: administrator.password, password };
    return (await logIn(app, server, person.id)).post('/admin/account', form);
  },
  'a password changed by a link': (_person, token) =>
    server.client().post('/admin/login/reset', { token, password: 'a-changed-password' }),
  'admin:create': async ({ email, username }) => {
    const args = ['admin:create', email, username, 'Someone', 'a-changed-password'];
    const { code } = await runCommand(args, { env: app.variables });
    return { status: code === 0 ? 302 : null };
  },
};

describe.each(Object.keys(changes))('%s', (name) => {
  test('ends every link and second step of the account', async () => {
    const person = await createUser(app, { role: 'author', passwordHash });
    const code = await turnSecondFactorOn(app, person.id);
    const tokens = {
      reset: await issueToken(app.db, app.clock, person.id, 'reset'),
      invitation: await issueToken(app.db, app.clock, person.id, 'invitation'),
    };
    const halfway = server.client();
    await givePassedPassword(app, halfway, person.id);
    expect((await halfway.get('/admin/login/code')).status).toBe(200);

    expect((await changes[name]!(person, tokens.reset)).status).toBe(302);

    for (const [purpose, token] of Object.entries(tokens)) {
      const page = await server.client().get(`/admin/login/${purpose}?token=${token}`);
      expect(page.text).toContain('This link is no longer valid');
      const form = { token, password: 'somebody-elses-password' };
      expect((await server.client().post(`/admin/login/${purpose}`, form)).status).toBe(400);
    }
    const step = await halfway.post('/admin/login/code', { code: code() });
    expect([step.status, step.headers.location]).toEqual([302, '/admin/login?ended']);
  });
});

test('a changed name or profile ends nothing', async () => {
  const person = await createUser(app, { role: 'author', passwordHash });
  const token = await issueToken(app.db, app.clock, person.id, 'reset');
  expect((await saved(person, { displayName: 'Another Name' })).status).toBe(302);
  const page = await server.client().get(`/admin/login/reset?token=${token}`);
  expect(page.text).toContain('Another Name');
});

test('a link is still valid, and its page says so, while its network has to wait', async () => {
  const { id, email } = await createUser(app, { role: 'author', passwordHash });
  const token = await issueToken(app.db, app.clock, id, 'reset');
  const expire = new Date(Date.now() + 600_000);
  await app.db.loginThrottle.create({ data: { key: 'login-address:198.51.100.77', points: 30, expire } });
  const fields = { token, username: email, password: 'a-changed-password' };
  const waiting = await server
    .client()
    .post('/admin/login/reset', fields, { 'x-forwarded-for': '198.51.100.77' });
  expect(waiting.status).toBe(429);
  expect(waiting.text).toContain('Too many attempts. Try again in');
  expect(waiting.text).not.toContain('no longer valid');
  expect(waiting.text).toContain(`name="token" value="${token}"`);
  expect((await server.client().post('/admin/login/reset', fields)).headers.location).toBe(
    '/admin/login?reset',
  );
});

test.each(['disable', 'delete'])(
  'previews that a person has made end when the account is %sd',
  async (intent) => {
    const person = await createUser(app, { role: 'author', passwordHash });
    const client = await logIn(app, server, person.id);
    const post = await createPost(app, { authorId: person.id });
    const inJson = { accept: 'application/json' };
    const ofPost = await client.post(`/admin/posts/${post.id}/previews`, { intent: 'create' }, inJson);
    const ofSite = await client.post('/admin/time', { intent: 'open', at: '2040-01-01T00:00' });
    const paths = [
      new URL(ofPost.json<{ created: { address: string } }>().created.address).pathname,
      ofSite.headers.location!,
    ];
    const statuses = () => Promise.all(paths.map(async (path) => (await server.client().get(path)).status));
    expect(await statuses()).toEqual([200, 200]);
    expect((await admin.post(`/admin/users/${person.id}`, { intent })).status).toBe(302);
    expect(await statuses()).toEqual([404, 404]);
  },
);

test('a lower role ends the previews that it could not make, and no others', async () => {
  const person = await createUser(app, { role: 'editor', passwordHash });
  const client = await logIn(app, server, person.id);
  const own = await createPost(app, { authorId: person.id });
  const [foreign, nobodys] = [await createPost(app, { authorId: null }), await createUser(app, {})];
  const other = await createPost(app, { authorId: nobodys.id });
  const paths: string[] = [];
  for (const { id } of [own, foreign, other]) {
    const made = await client.post(
      `/admin/posts/${id}/previews`,
      { intent: 'create' },
      { accept: 'application/json' },
    );
    paths.push(new URL(made.json<{ created: { address: string } }>().created.address).pathname);
  }
  const ofSite = await client.post('/admin/time', { intent: 'open', at: '2040-01-01T00:00' });
  paths.push(ofSite.headers.location!);
  const statuses = () => Promise.all(paths.map(async (path) => (await server.client().get(path)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect((await saved(person, { role: 'author' })).status).toBe(302);
  expect(await statuses()).toEqual([200, 404, 404, 200]);
  expect((await saved(person, { role: 'contributor' })).status).toBe(302);
  expect(await statuses()).toEqual([200, 404, 404, 404]);
});

test('an administrator turns off the second factor of somebody who has lost it, and not the own one', async () => {
  const person = await createUser(app, { role: 'author', passwordHash });
  await turnSecondFactorOn(app, person.id);
  await givePassedPassword(app, server.client(), person.id);
  // Whoever has lost the password too has asked for a link already.
  const token = await issueToken(app.db, app.clock, person.id, 'reset');
  const intent = 'end-second-factor';
  const page = await admin.get(`/admin/users/${person.id}`);
  expect(page.text).toContain(`value="${intent}"`);
  expect((await admin.post(`/admin/users/${person.id}`, { intent })).status).toBe(302);
  expect((await admin.get(`/admin/users/${person.id}`)).text).not.toContain(`value="${intent}"`);
  expect(await app.db.userToken.count({ where: { userId: person.id, purpose: 'second-step' } })).toBe(0);
  const reset = await server.client().get(`/admin/login/reset?token=${token}`);
  expect(reset.text).not.toContain('no longer valid');
  const login = { email: person.email, password: administrator.password };
  expect((await server.client().post('/admin/login', login)).headers.location).toBe('/admin');
  // Pressed twice.
  expect((await admin.post(`/admin/users/${person.id}`, { intent })).status).toBe(302);
  const subject = `${person.displayName} <${person.email}>`;
  expect(await app.db.auditLog.count({ where: { action: 'account.two-factor-off', subject } })).toBe(1);
  const { id } = await app.db.user.findUniqueOrThrow({ where: { email: administrator.email } });
  await turnSecondFactorOn(app, id);
  expect((await admin.post(`/admin/users/${id}`, { intent })).status).toBe(400);
  expect(await app.db.user.count({ where: { id, totpConfirmedAt: null } })).toBe(0);
});
