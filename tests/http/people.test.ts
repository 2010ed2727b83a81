// Accounts over HTTP, with a real mail server beside: invitations, resets, second factor, sessions, audit.
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/app.ts';
import { administrator } from '#tests/support/backend.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPeople, createPerson, logIn } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openSite } from '#tests/support/site.ts';
import { linkTo, smtpFields, startSmtp, type Smtp } from '#tests/support/smtp.ts';

let app: TestApp;
let server: TestServer;
let smtp: Smtp;
let admin: Client;

beforeAll(async () => {
  ({ app, server, editor: admin } = await openSite());
  smtp = await startSmtp();
});
afterAll(() => smtp?.close());

const idOf = async (email: string) => (await app.db.user.findUniqueOrThrow({ where: { email } })).id;
const tokenOf = (link: string) => new URL(link, 'http://x').searchParams.get('token')!;
const arrives = (email: string, count: number) =>
  expect
    .poll(() => smtp.messages.filter(({ to }) => to.includes(email)).length, { timeout: 30_000 })
    .toBe(count);

describe('before email is set up', () => {
  it('an invitation is a link to pass on by hand, and a reset says what to do', async () => {
    const fields = { intent: 'invite', email: 'early@example.org', displayName: 'Early', role: 'author' };
    const { status, text } = await admin.post('/admin/users/new', fields);
    expect(status).toBe(200);
    expect(text).toMatch(/\/admin\/login\/invitation\?token=[\w-]{43}/);
    const visitor = server.client();
    for (const email of [administrator.email, 'nobody@example.org']) {
      const answer = await visitor.post('/admin/login/forgot', { email });
      expect(answer.status).toBe(503);
      expect(answer.text).toContain('can’t send email');
    }
  });
});

describe('email settings', () => {
  it('a test message says whether the server accepts or refuses it', async () => {
    expect((await admin.post('/admin/settings/email', smtpFields(smtp))).status).toBe(302);
    expect((await admin.get('/admin/settings/email')).text).not.toContain('mail-password');
    const sent = await admin.post('/admin/settings/email', { intent: 'test' });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('accepted the message')]);
    expect(smtp.messages.at(-1)).toMatchObject({ to: [administrator.email], from: 'gazette@example.org' });
    smtp.refuse('5.1.1 No such mailbox on this island');
    const refused = await admin.post('/admin/settings/email', { intent: 'test' });
    smtp.refuse(null);
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('The mail server refused');
  });

  it('a blank password keeps the stored one, a wrong one is not accepted', async () => {
    const fields = smtpFields(smtp);
    expect((await admin.post('/admin/settings/email', { ...fields, smtp_password: '' })).status).toBe(302);
    expect((await admin.post('/admin/settings/email', { intent: 'test' })).status).toBe(200);
    await admin.post('/admin/settings/email', { ...fields, smtp_password: 'wrong' });
    const { status, text } = await admin.post('/admin/settings/email', { intent: 'test' });
    expect([status, text]).toEqual([503, expect.stringContaining('rejected the login')]);
    await admin.post('/admin/settings/email', fields);
    const stored = await app.db.setting.findUniqueOrThrow({ where: { key: 'smtp_password' } });
    expect(stored.value).not.toContain('mail-password');
  });
});

describe('an invitation', () => {
  it('comes by email, opens once, and its owner is logged in with the role that was given', async () => {
    const email = 'grace@example.org';
    const fields = { intent: 'invite', email, displayName: 'Grace Hopper', role: 'author' };
    expect((await admin.post('/admin/users/new', fields)).status).toBe(302);
    const link = linkTo(smtp, email, app);
    const grace = server.client();
    expect((await grace.get(link)).text).toContain('Grace Hopper');
    const [path] = link.split('?');
    const form = { token: tokenOf(link), password: 'graces-password' };
    const short = await grace.post(path!, { ...form, password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('too short')]);
    expect(short.text).toContain(form.token);
    expect((await grace.post(path!, form)).headers.location).toBe('/admin');
    expect((await grace.get('/admin/posts')).status).toBe(200);
    expect((await grace.get('/admin/users')).status).toBe(403);
    const again = await server.client().post(path!, { ...form, password: 'somebody-elses' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('no longer valid')]);
    const login = await server.client().post('/admin/login', { email, password: 'graces-password' });
    expect(login.status).toBe(302);
  });

  it('is left out where the form brings a password, whichever way it was sent', async () => {
    const login = { email: 'hedy@example.org', password: 'hedys-password' };
    const account = { ...login, displayName: 'Hedy', role: 'author' };
    expect((await admin.post('/admin/users/new', account)).status).toBe(302);
    expect((await server.client().post('/admin/login', login)).status).toBe(302);
  });

  it('to an address or username that somebody has is refused beside the field', async () => {
    const fields = { intent: 'invite', email: administrator.email, displayName: 'Twin', role: 'editor' };
    const { status, text } = await admin.post('/admin/users/new', fields);
    expect(status).toBe(400);
    expect(text).toContain('id="field-email-error"');
    expect(text).toContain('Twin');
  });
});

describe('a new password by email', () => {
  it('has the same answer whether or not somebody has the address; the link works once', async () => {
    const { id } = await createPerson(app, server, 'editor');
    const { email } = await app.db.user.update({
      where: { id },
      data: { passwordHash: '$2b$12$' + 'x'.repeat(53) },
    });
    const ask = (address: string) => server.client().post('/admin/login/forgot', { email: address });
    const [known, unknown] = [await ask(email), await ask('nobody@example.org')];
    expect([known.status, known.headers.location]).toEqual([unknown.status, unknown.headers.location]);
    expect(known.text).toBe(unknown.text);
    await arrives(email, 1);
    await arrives('nobody@example.org', 0);
    const link = linkTo(smtp, email, app);
    const [path] = link.split('?');
    const open = await logIn(app, server, id);
    expect((await open.get('/admin')).status).toBe(200);
    const form = { token: tokenOf(link), password: 'a-new-password' };
    const done = await server.client().post(path!, form);
    expect([done.status, done.headers.location]).toEqual([302, '/admin/login?reset']);
    // Who had been logged in is no more, whoever it was.
    expect((await open.get('/admin')).status).toBe(302);
    const again = await server.client().post(path!, { ...form, password: 'and-another-one' });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('no longer valid')]);
    const login = await server.client().post('/admin/login', { email, password: 'a-new-password' });
    expect(login.status).toBe(302);
  });

  it('ends after an hour', async () => {
    const { id } = await createPerson(app, server, 'editor');
    const { email } = await app.db.user.update({
      where: { id },
      data: { passwordHash: '$2b$12$' + 'x'.repeat(53) },
    });
    await server.client().post('/admin/login/forgot', { email });
    await arrives(email, 1);
    const token = await app.db.userToken.findFirstOrThrow({ where: { userId: id } });
    const lasts = token.expiresAt.getTime() - token.createdAt.getTime();
    expect(lasts).toBe(3_600_000);
    await app.db.userToken.update({ where: { id: token.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    const link = linkTo(smtp, email, app);
    expect((await server.client().get(link)).text).not.toContain('name="password"');
    const form = { token: tokenOf(link), password: 'a-new-password' };
    expect((await server.client().post(link.split('?')[0]!, form)).status).toBe(400);
  });
});

describe('the second factor', () => {
  const password = 'a-long-password';
  let email: string;
  let client: Client;
  let id: string;
  let secret: string;
  let recovery: string[];
  // All from one moment: what a slow machine takes in between must not lead to another code.
  let began: number;
  const code = (steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: began + steps * 30_000 });
  const setUp = (fields: Fields) => client.post('/admin/account/second-factor', fields);

  beforeAll(async () => {
    ({ id, client } = await createPerson(app, server, 'author'));
    const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { email: administrator.email } });
    ({ email } = await app.db.user.update({ where: { id }, data: { passwordHash } }));
    await setUp({ intent: 'begin' });
    const { text } = await client.get('/admin/account/second-factor');
    secret = /secret=([A-Z2-7]{32})/.exec(text)![1]!;
    began = Date.now();
  });

  /** Logs in with the password and a code. @returns where that leads, or the status of a refusal */
  const logInWith = async (answer: string) => {
    const browser = server.client();
    const first = await browser.post('/admin/login', { email, password, redirectTo: '/admin/media' });
    expect(first.headers.location).toMatch(/^\/admin\/login\/code\?/);
    expect((await browser.get('/admin')).status).toBe(302);
    const fields = { code: answer, redirectTo: '/admin/media' };
    const { status, headers } = await browser.post('/admin/login/code', fields);
    return status === 302 ? headers.location : status;
  };

  it('is confirmed with a code, gives ten recovery codes, and keeps no secret that can be read', async () => {
    expect((await setUp({ intent: 'confirm', code: 'x' })).status).toBe(400);
    const confirmed = await setUp({ intent: 'confirm', code: code() });
    recovery = confirmed.text.match(/(?<=>)[2-9a-z]{4}(-[2-9a-z]{4}){2}(?=<)/g)!;
    expect(new Set(recovery).size).toBe(10);
    const stored = await app.db.user.findUniqueOrThrow({ where: { id } });
    expect(stored.totpSecret).not.toContain(secret);
    expect(stored.recoveryCodes).not.toContain(recovery[0]);
  });

  it('is a second step at the login; a code works once, a recovery code too', async () => {
    expect(await logInWith(code(1))).toBe('/admin/media');
    expect(await logInWith(code(1))).toBe(400);
    expect(await logInWith(recovery[0]!.toUpperCase())).toBe('/admin/media');
    expect(await logInWith(recovery[0]!)).toBe(400);
  });

  it('is ended with the password, after which a login has one step', async () => {
    expect((await setUp({ intent: 'end', password: 'not the password' })).status).toBe(400);
    expect((await setUp({ intent: 'end', password })).status).toBe(302);
    const plain = await server.client().post('/admin/login', { email, password });
    expect(plain.headers.location).toBe('/admin');
  });
});

describe('accounts', () => {
  it('who is disabled is out at once, and in again when enabled', async () => {
    const { id, client } = await createPerson(app, server, 'editor');
    expect((await client.get('/admin')).status).toBe(200);
    expect((await admin.post(`/admin/users/${id}`, { intent: 'disable' })).status).toBe(302);
    expect((await client.get('/admin')).status).toBe(302);
    expect((await admin.post(`/admin/users/${id}`, { intent: 'enable' })).status).toBe(302);
    expect((await (await logIn(app, server, id)).get('/admin')).status).toBe(200);
  });

  it('a changed role counts at the next request', async () => {
    const { id, client } = await createPerson(app, server, 'author');
    expect((await client.get('/admin/categories')).status).toBe(403);
    const { email, displayName } = await app.db.user.findUniqueOrThrow({ where: { id } });
    const change = { intent: 'save', email, displayName, role: 'editor' };
    expect((await admin.post(`/admin/users/${id}`, change)).status).toBe(302);
    expect((await client.get('/admin/categories')).status).toBe(200);
  });

  it('the last administrator is neither demoted, disabled nor deleted', async () => {
    const id = await idOf(administrator.email);
    const { email, displayName } = administrator;
    const unchanged = { role: 'administrator', disabledAt: null };
    for (const form of [
      { intent: 'save', email, displayName, role: 'editor' },
      { intent: 'disable' },
      { intent: 'delete' },
    ] as Record<string, string>[]) {
      expect((await admin.post(`/admin/users/${id}`, form)).status).toBe(409);
      expect(await app.db.user.findUnique({ where: { id } })).toMatchObject(unchanged);
    }
  });

  it('sessions are listed with their device; one, then all others are ended', async () => {
    const { id } = await createPeople(app, server).then(({ editor }) => editor);
    await app.db.session.deleteMany({ where: { userId: id } });
    const browsers = [
      await logIn(app, server, id),
      await logIn(app, server, id),
      await logIn(app, server, id),
    ];
    const [here, second, third] = browsers as [Client, Client, Client];
    const page = await here.get('/admin/account');
    const ids = [...page.text.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, one]) => one!);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    await here.post('/admin/account', { intent: 'end-session', sessionId: ids[0]! });
    const alive = async () =>
      (await Promise.all(browsers.map((one) => one.get('/admin')))).map(({ status }) => status);
    expect((await alive()).filter((status) => status === 302)).toHaveLength(1);
    await here.post('/admin/account', { intent: 'end-other-sessions' });
    expect((await here.get('/admin')).status).toBe(200);
    for (const other of [second, third]) expect((await other.get('/admin')).status).toBe(302);
  });

  it('a new password ends the other sessions and keeps this one', async () => {
    const id = await idOf(administrator.email);
    const other = await logIn(app, server, id);
    const change = { intent: 'password', currentPassword: 'wrong', password: 'another-long-password' };
    expect((await admin.post('/admin/account', change)).status).toBe(400);
    expect((await other.get('/admin')).status).toBe(200);
    const right = { ...change, currentPassword: administrator.password };
    expect((await admin.post('/admin/account', right)).status).toBe(302);
    expect((await other.get('/admin')).status).toBe(302);
    expect((await admin.get('/admin')).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('tells what happened above, by term, person and text, and never a secret', async () => {
    const all = (await admin.get('/admin/audit')).text;
    for (const secret of ['mail-password', 'graces-password', 'a-new-password'])
      expect(all).not.toContain(secret);
    const settings = (await admin.get('/admin/audit?term=settings')).text;
    expect(settings).toContain('Email: Password');
    expect(settings).toContain('Sent a test message');
    expect(settings).not.toContain('Accepted an invitation');
    const grace = await idOf('grace@example.org');
    const hers = (await admin.get(`/admin/audit?user=${grace}`)).text;
    expect(hers).toContain('Accepted an invitation');
    expect(hers).not.toContain('Sent a test message');
    expect((await admin.get('/admin/audit?q=grace%40example.org')).text).toContain('Invited a person');
    const rows = await app.db.auditLog.findMany();
    expect(JSON.stringify(rows)).not.toMatch(/mail-password|graces-password|a-new-password/);
  });
});
