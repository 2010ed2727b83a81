import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPostByForm, logInAsAdministrator } from '#tests/support/backend.ts';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editor: Client;
let postId: string;

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  server = await startServer({ env: app.variables });
  editor = server.client();
  await logInAsAdministrator(app, editor);
  postId = await createPostByForm(editor, { title: 'Untouched', intent: 'draft' });
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

/** Everything that a form could have changed. */
const state = async () => ({
  posts: await app.db.post.findMany({ orderBy: { id: 'asc' } }),
  revisions: await app.db.revision.count(),
  settings: await app.db.setting.findMany({ orderBy: { key: 'asc' } }),
  terms: [await app.db.category.count(), await app.db.tag.count()],
  users: await app.db.user.findMany(),
});
const refused = async (path: string, fields: Fields, message: RegExp | string) => {
  const before = await state();
  const { status, text } = await editor.post(path, fields);
  expect(status).toBe(400);
  expect(text).toMatch(message);
  expect(await state()).toEqual(before);
};
const post = (changes: Fields) => ({ title: 'A title', intent: 'draft', ...changes });
const unstorable = /contains characters that cannot be stored/;

describe('a post form that cannot be taken changes nothing and says why', () => {
  it.each<[string, Fields, RegExp]>([
    ['an unknown intent', { intent: 'explode' }, /This action is unknown/],
    ['no title', { title: ' ' }, /Title is required/],
    ['a title of 301 characters', { title: 'é'.repeat(301) }, /Title is too long: at most 300 characters/],
    ['a title of 5 MB', { title: 'x'.repeat(5_000_000) }, /Title is too long/],
    ['a slug without letters', { slug: '///' }, /A slug needs a letter or a digit/],
    ['a body over 2 MB', { body: 'x'.repeat(2_200_000) }, /Body is too long: at most 2 MB/],
    ['an excerpt over 1,000 characters', { excerpt: 'x'.repeat(1001) }, /Excerpt is too long/],
    ['a month 13', { intent: 'schedule', publishedAt: '2027-13-01T08:00' }, /Enter a date and time/],
    ['a 30th of February', { intent: 'schedule', publishedAt: '2027-02-30T08:00' }, /Enter a date and time/],
    ['a day that is a word', { intent: 'schedule', publishedAt: 'tomorrow' }, /Enter a date and time/],
    ['no time to schedule for', { intent: 'schedule' }, /Publication time must be in the future\./],
    ['a category that is not there', { categoryId: 'nope' }, /This category no longer exists/],
    ['a picture that is not there', { coverMediaId: 'nope' }, /./],
    ['an address that is none', { canonicalUrl: 'javascript:alert(1)' }, /./],
    ['a version that is none', { version: 'newest' }, /./],
  ])('%s', async (_name, changes, message) => {
    const path = 'version' in changes ? `/admin/posts/${postId}` : '/admin/posts/new';
    await refused(path, post(changes), message);
    if (!('version' in changes))
      await refused(`/admin/posts/${postId}`, { version: '1', ...post(changes) }, message);
  });

  it.each(['title', 'slug', 'excerpt', 'body', 'tags', 'coverAlt', 'seoTitle', 'seoDescription'])(
    'NUL and a lone surrogate in %s',
    async (field) => {
      await refused('/admin/posts/new', post({ [field]: 'a\0b' }), unstorable);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const before = await state();
      const body = `intent=draft&title=t&${field}=a%ED%A0%80b`;
      const { status, text } = await editor.send('POST', '/admin/posts/new', form, body);
      expect(status).toBe(400);
      expect(text).toMatch(unstorable);
      expect(await state()).toEqual(before);
    },
  );
});

describe('other forms', () => {
  it.each<[string, Fields, RegExp]>([
    ['/admin/settings/site', { site_timezone: 'Mars/Olympus' }, /time zone/i],
    ['/admin/settings/site', { site_title: 'a\0b' }, unstorable],
    ['/admin/settings/site', { posts_per_page: '0' }, /./],
    ['/admin/settings/security', { admin_path: 'Has Space' }, /3 to 64 characters/],
    ['/admin/settings/security', { admin_path: 'posts' }, /used by the public site/],
    ['/admin/settings/publishing', { revision_keep_count: 'many' }, /./],
    ['/admin/categories', { name: '', intent: 'save' }, /required/],
    ['/admin/tags', { name: 'x'.repeat(101), intent: 'save' }, /too long/],
    ['/admin/tags', { name: 'a', intent: 'explode' }, /./],
  ])('%s %j', refused);

  it('a wrong login says nothing about which half was wrong', async () => {
    const visitor = server.client();
    for (const email of ['ada@example.org', 'nobody@example.org', 'no e-mail at all', '']) {
      const { status, text } = await visitor.post('/admin/login', { email, password: 'wrong' });
      expect(status).toBe(400);
      expect(text).toContain('Email or password is incorrect.');
    }
  });
});

describe('what is no form', () => {
  it.each([
    ['application/json', '{"title":"x"}', 415],
    ['text/plain', 'title=x&intent=draft', 415],
    ['multipart/form-data', 'title=x&intent=draft', 400],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nhalf',
      400,
    ],
  ])('%s is refused', async (type, body, status) => {
    const before = await state();
    for (const path of [
      '/admin/posts/new',
      `/admin/posts/${postId}`,
      '/admin/settings/site',
      '/admin/media',
    ]) {
      const answer = await editor.send('POST', path, { 'content-type': type }, body);
      expect(answer.status, path).toBe(status);
    }
    expect(await state()).toEqual(before);
  });
});

it('posts are not scheduled together for a time that has passed, and the form says so beside the field', async () => {
  const fields = { action: 'schedule', ids: postId, confirmed: 'yes', everyDays: '1' };
  const past = { ...fields, publishedAt: '2020-01-01T00:00' };
  const before = await state();
  const { status, text } = await editor.post('/admin/posts/bulk', past, { accept: 'application/json' });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    expect.objectContaining({ errors: { publishedAt: 'Publication time must be in the future.' } }),
  ]);
  expect(await state()).toEqual(before);
});
