// Another account logs in in a second tab of the same browser: nothing that the first tab's page sends is done by it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_USER_FIELD, PAGE_USER_HEADER } from '#app/admin/frame/page-user-field.tsx';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { administrator, createQuickAdministrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { postForms, type PageForm } from '#tests/support/html-form.ts';
import type { Client } from '#tests/support/http-client.ts';
import { picture } from '#tests/support/images.ts';
import { createPerson, logIn } from '#tests/support/roles.ts';
import { turnSecondFactorOn } from '#tests/support/second-factor.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
/** The account of the first tab. */
let ownId: string;
let otherId: string;
/** The browser with both tabs. */
let browser: Client;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  ({ id: ownId } = await createQuickAdministrator(app));
  ({ id: otherId } = await createPerson(app, server, 'editor'));
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});
beforeEach(async () => {
  browser = asBrowser(await logIn(app, server, ownId));
});

/** The client with the header by which forms of browsers are known. */
function asBrowser(client: Client): Client {
  const sent = { 'Sec-Fetch-Site': 'same-origin' };
  return {
    ...client,
    post: (path, fields, headers) => client.post(path, fields, { ...sent, ...headers }),
    upload: (path, form, headers) => client.upload(path, form, { ...sent, ...headers }),
  };
}

const other = 'This browser is now logged in with another account.';
/** The answer to a script. */
const refusal = {
  data: null,
  error: expect.objectContaining({
    code: 'unauthorized',
    reason: 'other_account',
    message: `${other} Nothing was changed.`,
  }) as object,
};
const secondTabLogsIn = async () => {
  const { cookies } = await logIn(app, server, otherId);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
};
const { email, password } = administrator;

/** The form of a page that has this field. */
async function formAt(path: string, field: string): Promise<PageForm> {
  const { status, text } = await browser.get(path);
  expect(status).toBe(200);
  return postForms(text).find(({ fields }) => field in fields)!;
}

describe('a form without scripts', () => {
  it('is not done by the other account, and is kept until its own one is back', async () => {
    const { fields } = await formAt('/admin/posts/new', 'body');
    await secondTabLogsIn();
    const sent = { ...fields, title: 'By its own writer', intent: 'save' };
    const refused = await browser.post('/admin/posts/new', sent);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(other);
    expect(await app.db.post.count({ where: { title: 'By its own writer' } })).toBe(0);
    const held = postForms(refused.text).find((form) => 'held' in form.fields)!.fields;
    // A wrong password shows the login again, not the other account's dashboard.
    const wrong = await browser.post('/admin/login', { ...held, email, password: 'not this one' });
    expect(wrong.status).toBe(400);
    const again = postForms(wrong.text).find((form) => 'held' in form.fields)!.fields;
    const welcome = await browser.post('/admin/login', { ...again, email, password });
    const resumed = postForms(welcome.text).find(({ action }) => action === '/admin/posts/new')!;
    expect((await browser.post('/admin/posts/new', resumed.fields)).status).toBe(302);
    const [post] = await app.db.post.findMany({ where: { title: 'By its own writer' } });
    expect(post?.authorId).toBe(ownId);
  });

  /** The form with a category's name, kept by the login after its session has ended. */
  async function keptCategory(name: string): Promise<PageForm['fields']> {
    const { fields } = await formAt('/admin/categories', 'name');
    await app.db.session.deleteMany({ where: { userId: ownId } });
    const late = await browser.post('/admin/categories', { ...fields, name, intent: 'save' });
    expect(late.text).toContain('Your session has ended.');
    return postForms(late.text).find((form) => 'held' in form.fields)!.fields;
  }
  const categoriesCalled = (name: string) => app.db.category.count({ where: { name } });

  it('that is kept is sent by its own account only', async () => {
    const held = await keptCategory('Boats');
    const stranger = { email: 'grace@example.org', password };
    await createQuickAdministrator(app, { email: stranger.email, username: 'grace' });
    const [wrong] = postForms((await browser.post('/admin/login', { ...held, ...stranger })).text);
    const refused = await browser.post('/admin/categories', wrong!.fields);
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining(other)]);
    expect(await categoriesCalled('Boats')).toBe(0);
    const again = postForms(refused.text).find((form) => 'held' in form.fields)!.fields;
    const [own] = postForms((await browser.post('/admin/login', { ...again, email, password })).text);
    expect((await browser.post('/admin/categories', own!.fields)).status).toBe(302);
    expect(await categoriesCalled('Boats')).toBe(1);
  });

  it('that is kept leads whoever discards it to its page, or to the dashboard where the account lacks that', async () => {
    for (const [role, next] of [
      ['editor', '/admin/categories'],
      ['author', '/admin'],
    ] as const) {
      const held = await keptCategory('Nets');
      const login = { email: `${role}@example.org`, password };
      const { id } = await createQuickAdministrator(app, { email: login.email, username: role });
      await app.db.user.update({ where: { id }, data: { role } });
      const welcome = await browser.post('/admin/login', { ...held, ...login });
      expect(welcome.text).toContain(`<a href="${next}">Discard it and continue</a>`);
      expect((await browser.get(next)).status).toBe(200);
      browser = asBrowser(await logIn(app, server, ownId));
    }
  });

  it('that is kept, of an account that no longer exists, is sent by whoever logs in', async () => {
    const { held } = await keptCategory('Piers');
    const gone = JSON.parse(String(held)) as { body: string };
    const sent = new URLSearchParams(Buffer.from(gone.body, 'base64url').toString());
    expect(sent.get(PAGE_USER_FIELD)).toBe(ownId);
    sent.set(PAGE_USER_FIELD, 'gone');
    gone.body = Buffer.from(sent.toString()).toString('base64url');
    const [resumed] = postForms(
      (await browser.post('/admin/login', { held: JSON.stringify(gone), email, password })).text,
    );
    expect((await browser.post('/admin/categories', resumed!.fields)).status).toBe(302);
    expect(await categoriesCalled('Piers')).toBe(1);
  });

  it('of settings, which the other account may not see either, is kept too', async () => {
    const { fields } = await formAt('/admin/settings/site', 'site_title');
    await secondTabLogsIn();
    const sent = { ...fields, site_title: 'Kept' };
    const refused = await browser.post('/admin/settings/site', sent);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(other)]);
    expect((await browser.get('/')).text).not.toContain('Kept');
    const { fields: held } = postForms(refused.text).find((form) => 'held' in form.fields)!;
    const welcome = await browser.post('/admin/login', { ...held, email, password });
    const resumed = postForms(welcome.text).find(({ action }) => action === '/admin/settings/site')!;
    expect((await browser.post('/admin/settings/site', resumed.fields)).status).toBe(302);
    expect((await browser.get('/')).text).toContain('Kept');
    // Its own page, without the role for it: there is nobody else to log in.
    await secondTabLogsIn();
    const own = await browser.post('/admin/settings/site', { ...sent, [PAGE_USER_FIELD]: otherId });
    expect([own.status, own.text.includes('held')]).toEqual([403, false]);
  });

  it('with a file stores nothing', async () => {
    const form = new FormData();
    form.set(PAGE_USER_FIELD, ownId);
    form.set('alt', 'A boat');
    form.set('file', new File([new Uint8Array(await picture())], 'boat.jpg', { type: 'image/jpeg' }));
    await secondTabLogsIn();
    const { status, text } = await browser.upload('/admin/media', form, { accept: 'text/html' });
    expect([status, text]).toEqual([401, expect.stringContaining(other)]);
    const script = await browser.upload('/admin/media', form, { accept: 'application/json' });
    expect([script.status, script.json()]).toEqual([401, refusal]);
    expect(await app.db.media.count()).toBe(0);
  });
});

describe('a script', () => {
  it.each(['header', 'field'])(
    'that names its page’s user in the %s does nothing as another',
    async (where) => {
      await secondTabLogsIn();
      const name = `By a script ${where}`;
      const json = { accept: 'application/json' };
      const answer =
        where === 'header'
          ? await browser.post('/admin/categories', { name }, { ...json, [PAGE_USER_HEADER]: ownId })
          : await browser.post('/admin/categories', { name, [PAGE_USER_FIELD]: ownId }, json);
      expect(answer.status).toBe(401);
      expect(answer.json()).toEqual(refusal);
      expect(await app.db.category.count({ where: { name } })).toBe(0);
    },
  );
});

it('a program that is no browser may send the fields of another account’s page', async () => {
  const { fields } = await formAt('/admin/categories', 'name');
  const program = await logIn(app, server, otherId);
  expect((await program.post('/admin/categories', { ...fields, name: 'Sails' })).status).toBe(302);
});

it('a wrong password in the login beside another account is said on the login page', async () => {
  const { text } = await browser.get('/admin/login?again');
  const login = postForms(text).find(({ action }) => action?.startsWith('/admin/login'))!;
  const wrong = await browser.post(login.action!, { ...login.fields, email, password: 'not this one' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('password is incorrect')]);
});

it('a wrong password is said too where the form was too large to keep', async () => {
  const { fields } = await formAt('/admin/posts/new', 'body');
  await secondTabLogsIn();
  const sent = { ...fields, title: 'Long', body: '語'.repeat(240_000), intent: 'save' };
  const { status, text } = await browser.post('/admin/posts/new', sent);
  expect([status, text]).toEqual([401, expect.stringContaining('too large to keep')]);
  const login = postForms(text).find(({ action }) => action?.startsWith('/admin/login'))!;
  const wrong = await browser.post(login.action!, { ...login.fields, email, password: 'not this one' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('password is incorrect')]);
});

it('the second step of a login beside another account leads back to the login', async () => {
  const careful = await createQuickAdministrator(app, { email: 'joan@example.org', username: 'joan' });
  await turnSecondFactorOn(app, careful.id);
  const entered = { email: 'joan@example.org', password };
  const { status, headers } = await browser.post('/admin/login?again', entered);
  expect(status).toBe(302);
  const { text } = await browser.get(headers.location!);
  expect(text).toContain('href="/admin/login?again"');
  const code = postForms(text).find(({ fields }) => 'code' in fields)!;
  await app.db.userToken.deleteMany();
  const ended = await browser.post(code.action!, { ...code.fields, code: '123456' });
  expect((await browser.get(ended.headers.location!)).text).toContain('Your login has expired.');
});

it('every form of a page names its account', async () => {
  const post = await createPost(app, { authorId: ownId, title: 'A post' });
  const screens = [
    '',
    'posts',
    `posts/${post.id}`,
    `posts/${post.id}/previews`,
    'users',
    'account',
    'time',
    'media',
  ];
  for (const screen of [
    ...screens,
    'appearance',
    'settings/email',
    'releases/new',
    'account/second-factor',
  ]) {
    const forms = postForms((await browser.get(`/admin/${screen}`.replace(/\/$/, ''))).text);
    expect(forms.length, screen).toBeGreaterThan(0);
    for (const form of forms) expect(form.fields[PAGE_USER_FIELD], screen).toEqual([ownId]);
  }
});

it('comparing the site of a time with now puts the time into the address, and no account', async () => {
  const { action, fields } = await formAt('/admin/time', 'at');
  const compared = { ...fields, at: '2031-05-01T08:00', intent: 'compare' };
  const { status, headers } = await browser.post(action ?? '/admin/time', compared);
  expect([status, headers.location]).toEqual([302, '/admin/time?at=2031-05-01T08%3A00']);
  expect((await browser.get(headers.location!)).text).toContain('Nothing changes.');
});
