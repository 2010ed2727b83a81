// Contract, section 8: every form of the backend answers a script in JSON, with the same checks as the page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#app/people/roles.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost, createTag } from '#tests/support/factories.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { createPeople, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let people: Record<Role, Person>;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  people = await createPeople(app, server);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

async function send(client: Client, path: string, fields: Fields) {
  const answer = await client.post(`/admin/${path}`, fields, { accept: 'application/json' });
  expect(answer.headers['content-type'], answer.text.slice(0, 200)).toContain('application/json');
  expect(answer.headers['cache-control']).toBe('no-store');
  return { status: answer.status, headers: answer.headers, body: answer.json() };
}
const editor = () => people.editor.client;

describe('what a page answers with a redirect is 200 with what was saved', () => {
  it('a new post, an edit and a change of state', async () => {
    const made = await send(editor(), 'posts/new', { title: 'By script', intent: 'draft' });
    const { id } = made.body as { id: string };
    expect(made).toMatchObject({
      status: 200,
      body: { id, version: 1, status: 'draft', location: `/admin/posts/${id}` },
    });
    const saved = await send(editor(), `posts/${id}`, { title: 'Saved', version: '1', intent: 'publish' });
    expect(saved.body).toEqual({ id, version: 2, status: 'published', location: `/admin/posts/${id}` });
    const gone = await send(editor(), `posts/${id}`, { version: '2', intent: 'delete' });
    expect(gone.body).toMatchObject({ id, location: '/admin/posts' });
  });

  it.each<[string, Role, Fields, RegExp]>([
    ['categories', 'editor', { name: 'Scripted' }, /^\/admin\/categories\/[0-9a-f-]{36}\?saved$/],
    ['tags', 'editor', { name: 'Scripted' }, /^\/admin\/tags\/[0-9a-f-]{36}\?saved$/],
    ['account', 'author', { displayName: 'By script' }, /^\/admin\/account\?saved$/],
    ['settings/publishing', 'administrator', { revision_keep_count: '9' }, /\/settings\/publishing\?saved$/],
    ['logout', 'contributor', {}, /^\/admin\/login$/],
  ])('/%s as %s', async (path, role, fields, location) => {
    const { status, body } = await send(people[role].client, path, fields);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.toSatisfy((id) => id === null || /^[0-9a-f-]{36}$/.test(String(id))),
      version: null,
      status: null,
      location: expect.stringMatching(location),
    });
  });

  it('a new preview link leads to the page that lists it', async () => {
    const { id } = await createPost(app, { authorId: people.author.id });
    const page = `/admin/posts/${id}/previews`;
    const { client } = people.author;
    const { status, headers } = await client.post(page, { intent: 'create' });
    expect([status, headers.location]).toEqual([302, expect.stringContaining(`${page}?created=`)]);
    const [, path] = /value="https?:\/\/[^"]*(\/preview\/[\w-]{43})"/.exec((await client.get(page)).text)!;
    expect((await server.client().get(path!)).status).toBe(200);
  });

  it('what a page shows instead of a redirect is the answer itself', async () => {
    const { id } = await createPost(app, { authorId: people.author.id });
    const { body } = await send(people.author.client, `posts/${id}/previews`, { intent: 'create' });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: null,
      status: null,
      location: expect.stringMatching(/\/previews\?created=[0-9a-f-]{36}$/),
      created: { address: expect.stringContaining('/preview/'), expiresAt: expect.any(String) },
    });
    const preview = await send(people.author.client, `posts/${id}`, { body: '*a*', intent: 'preview' });
    expect(preview.body).toEqual({ preview: '<p><em>a</em></p>' });
  });
});

it('spaces around a line or an excerpt do not count towards its length', async () => {
  const around = (text: string) => `  ${text}\r\n`;
  const save = (title: string, excerpt: string) =>
    send(editor(), 'posts/new', { title: around(title), excerpt: around(excerpt), intent: 'draft' });
  expect((await save('t'.repeat(300), 'e'.repeat(1_000))).status).toBe(200);
  const { status, body } = await save('t'.repeat(301), 'e'.repeat(1_001));
  expect(status).toBe(400);
  expect(Object.keys((body as { errors: object }).errors)).toEqual(['title', 'excerpt']);
});

it('a field that is absent stays as it is, in every form that edits', async () => {
  const { id } = await createTag(app, { name: 'Wind', slug: 'own-slug' });
  expect((await send(editor(), `tags/${id}`, { description: 'Air.' })).status).toBe(200);
  const tag = await app.db.tag.findUniqueOrThrow({ where: { id } });
  expect(tag).toMatchObject({ name: 'Wind', slug: 'own-slug', description: 'Air.' });
  // Somebody has to be left who can log in.
  const { id: administratorId } = people.administrator;
  await app.db.user.update({ where: { id: administratorId }, data: { passwordHash: 'x' } });
  const before = await app.db.user.findUniqueOrThrow({ where: { id: people.author.id } });
  expect((await send(people.author.client, 'account', { bio: 'Writes.' })).status).toBe(200);
  expect((await send(people.administrator.client, `users/${before.id}`, { links: '' })).status).toBe(200);
  const { displayName, email, role, bio } = await app.db.user.findUniqueOrThrow({ where: { id: before.id } });
  expect({ displayName, email, role, bio }).toEqual({
    displayName: before.displayName,
    email: before.email,
    role: before.role,
    bio: 'Writes.',
  });
});

describe('what was wrong', () => {
  it.each<[string, Role, Fields, Record<string, unknown>]>([
    ['posts/new', 'author', { title: '' }, { title: 'Title is required.' }],
    ['posts/new', 'author', { title: 'x', intent: 'explode' }, { intent: expect.any(String) }],
    ['tags', 'editor', { name: '' }, { name: expect.stringContaining('required') }],
    ['tags', 'editor', { name: 'x', intent: 'explode' }, { '': expect.stringContaining('unknown') }],
    [
      'users/new',
      'administrator',
      { email: 'none' },
      { email: expect.any(String), displayName: expect.any(String) },
    ],
    ['settings/site', 'administrator', { posts_per_page: '0' }, { posts_per_page: expect.any(String) }],
    ['login', 'author', { email: 'x', password: 'y' }, { password: 'Email or password is incorrect.' }],
  ])('/%s as %s: 400 with a message for each field', async (path, role, fields, errors) => {
    const { status, body } = await send(people[role].client, path, fields);
    expect([status, body]).toEqual([400, { errors: expect.objectContaining(errors) }]);
  });

  it('a stale version: 409 with what is saved', async () => {
    const { id } = await createPost(app, { title: 'First', body: 'One.', authorId: people.author.id });
    await send(editor(), `posts/${id}`, { title: 'Second', version: '1' });
    const { status, body } = await send(people.author.client, `posts/${id}`, { title: 'Mine', version: '1' });
    expect(status).toBe(409);
    expect(body).toEqual({
      error: { code: 'conflict', message: expect.any(String) },
      current: {
        fields: expect.objectContaining({ title: 'Second', body: 'One.' }),
        version: 2,
        editedBy: expect.any(String),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  it.each<[string, (id: string) => Promise<[string, Fields]>]>([
    [
      'a post moved in the calendar',
      (id) => {
        const form = { intent: 'move', postId: id, version: '1', publishedAt: '2040-01-02T03:04' };
        return Promise.resolve(['calendar', form]);
      },
    ],
    [
      'a restored revision',
      async (id) => {
        const { id: revisionId } = await app.db.revision.findFirstOrThrow({ where: { postId: id } });
        return [`posts/${id}/revisions`, { intent: 'restore', revisionId, version: '1' }];
      },
    ],
  ])('a stale version of %s: 409 with what is saved', async (_, formOf) => {
    const first = { title: 'First', publishedAt: '2040-01-01T00:00', intent: 'schedule' };
    const { id } = (await send(editor(), 'posts/new', first)).body as { id: string };
    await send(editor(), `posts/${id}`, { title: 'Second', version: '1' });
    const [path, fields] = await formOf(id);
    const { status, body } = await send(editor(), path, fields);
    expect([status, body]).toMatchObject([
      409,
      {
        error: { code: 'conflict' },
        current: { fields: { title: 'Second' }, version: 2, editedBy: expect.any(String) },
      },
    ]);
    expect((await editor().post(`/admin/${path}`, fields)).status).toBe(409);
  });

  it.each<[number, string, () => Promise<{ status: number; body: unknown }>]>([
    [401, 'unauthorized', () => send(server.client(), 'posts/new', { title: 'x' })],
    [403, 'forbidden', () => send(people.author.client, 'settings/site', { site_title: 'x' })],
    [404, 'not_found', () => send(editor(), `posts/${crypto.randomUUID()}`, { title: 'x', version: '1' })],
    [404, 'not_found', () => send(editor(), 'no-such-screen', {})],
    [405, 'method_not_allowed', () => send(people.administrator.client, 'system', {})],
    [413, 'payload_too_large', () => send(editor(), 'tags', { name: 'x'.repeat(300_000) })],
  ])('%i is the envelope with %s', async (expected, code, run) => {
    const { status, body } = await run();
    expect(status).toBe(expected);
    expect(body).toEqual({ data: null, error: { code, message: expect.any(String) } });
  });

  it('too many logins, from the page and from memory: 429 with Retry-After', async () => {
    const wrong = { email: 'nobody@example.org', password: 'wrong' };
    for (let attempt = 0; attempt < 15; attempt += 1) {
      const { status, headers, body } = await send(server.client(), 'login', wrong);
      if (attempt < 5) continue;
      expect([attempt, status]).toEqual([attempt, 429]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body).toEqual({ data: null, error: { code: 'too_many_requests', message: expect.any(String) } });
    }
  });

  it('a form from another site: 403', async () => {
    const headers = { accept: 'application/json', 'sec-fetch-site': 'cross-site' };
    const { status, json } = await editor().post('/admin/tags', { name: 'x' }, headers);
    expect([status, json()]).toMatchObject([403, { data: null, error: { code: 'forbidden' } }]);
  });
});

it('a browser gets pages as before', async () => {
  const tag = await createTag(app);
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const { status, headers } = await editor().post(`/admin/tags/${tag.id}`, { name: 'Page' }, { accept });
  expect([status, headers.location]).toEqual([302, `/admin/tags/${tag.id}?saved`]);
});
