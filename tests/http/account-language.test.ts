import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byCommand } from '#app/people/audit/audit.server.ts';
import { createRelease } from '#app/publishing/releases/edit.server.ts';
import { addPostsToRelease } from '#app/publishing/releases/items.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createCategory, createPost, createTag } from '#tests/support/factories.ts';
import type { Client } from '#tests/support/http-client.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let client: Client;
beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  await createPost(app, { status: 'published', publishedAt: new Date('2026-03-05T09:00:00Z') });
  server = await startServer({ env: app.variables });
  client = server.client();
  await logInAsAdministrator(app, client);
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const json = { accept: 'application/json' };
const datesOf = async () => (await client.get('/admin/posts')).text.match(/<time[^>]*>[^<]*/g)!.join(' ');

test('a person’s language is that of the dates in the backend; blank follows the site', async () => {
  const english = await datesOf();
  const saved = await client.post('/admin/account', { displayName: 'Ada', language: 'de' }, json);
  expect(saved.status).toBe(200);
  expect(await datesOf()).not.toBe(english);
  expect((await client.get('/admin/account')).text).toMatch(/<option[^>]*value="de"[^>]*selected/);
  // A form without the field leaves it.
  await client.post('/admin/account', { displayName: 'Ada' });
  expect(await datesOf()).not.toBe(english);
  await client.post('/admin/account', { displayName: 'Ada', language: '' });
  expect(await datesOf()).toBe(english);
});

test('an unsupported language is refused with the list', async () => {
  const answer = await client.post('/admin/account', { displayName: 'Ada', language: 'tlh' }, json);
  expect(answer.status).toBe(400);
  expect(answer.json<{ errors: { language: string } }>().errors.language).toContain('en, de, fr');
});

test('the tags to filter posts by are in the order of the alphabet', async () => {
  for (const name of ['Zebra', 'apple', 'Ärger']) await createTag(app, { name });
  const { text } = await client.get('/admin/posts');
  const found = [...text.matchAll(/>(Zebra|apple|Ärger)</g)].map(([, name]) => name);
  expect(found).toEqual(['apple', 'Ärger', 'Zebra']);
});

describe('a person whose language is German', () => {
  const late = { title: 'Late', intent: 'schedule', publishedAt: '2020-01-01T10:00' };
  beforeAll(() => client.post('/admin/account', { displayName: 'Ada', language: 'de' }));
  afterAll(() => client.post('/admin/account', { displayName: 'Ada', language: '' }));

  test('reads the screens in German', async () => {
    const list = (await client.get('/admin/posts')).text;
    expect(list).toContain('<html lang="de"');
    expect(list).toContain('<h1>Beiträge</h1>');
    expect(list).toMatch(/<title>Beiträge · /);
    expect(list).toContain('>veröffentlicht<');
    expect(list).not.toContain('Log out');
    expect((await client.get('/admin/posts/new')).text).toContain('>Zeit der Veröffentlichung</label>');
    // The end of a breadcrumb too.
    const { id } = await app.db.post.findFirstOrThrow();
    const publish = (await client.get(`/admin/posts/${id}/publish`)).text;
    expect(publish).toContain('>Veröffentlichen</li>');
    expect(publish).toMatch(/<h1>„[^<]*“ aktualisieren<\/h1>/);
  });

  test('reads in German that a post is missing, at its address in the backend alone', async () => {
    const missing = await client.get('/admin/posts/00000000-0000-7000-8000-000000000000');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('<html lang="de"');
    expect(missing.text).toMatch(/<title>Seite nicht gefunden · .*<h1>Seite nicht gefunden<\/h1>/s);
    expect((await client.get('/posts/missing')).text).toContain('<html lang="en"');
  });

  test('reads in German how many posts a category has', async () => {
    const [full] = [await createCategory(app), await createCategory(app)];
    for (const title of ['One', 'Two']) await createPost(app, { title, categoryId: full.id });
    const { text } = await client.get(`/admin/categories/${full.id}`);
    expect(text).toContain('2 Beiträge kommen zu');
    const single = await createCategory(app);
    await createPost(app, { title: 'Three', categoryId: single.id });
    expect((await client.get(`/admin/categories/${single.id}`)).text).toContain('1 Beitrag kommt zu');
  });

  test('reads in German which settings somebody changed, and finds them by these names', async () => {
    await client.post('/admin/settings/site', { site_description: 'Letters from a town' });
    for (const path of ['/admin/audit', '/admin/audit?q=beschreib']) {
      const { text } = await client.get(path);
      expect(text, path).toMatch(/Einstellungen geändert(<!-- -->)?: (<!-- -->)?Beschreibung</);
      expect(text).not.toContain('site_description');
    }
  });

  test('is told in German, and in advance, what shifting a draft does: nothing', async () => {
    const { id } = await createPost(app, { title: 'No time' });
    const fields = { ids: id, action: 'shift', days: '1', hours: '0' };
    expect((await client.post('/admin/posts/bulk', fields)).text).not.toContain('state-scheduled');
    const done = await client.post('/admin/posts/bulk', {
      ...fields,
      [`version-${id}`]: '1',
      confirmed: 'yes',
    });
    expect(done.text).toContain('Nur ein geplanter Beitrag hat eine Zeit');
  });

  test('reads in German since when publishing is late', async () => {
    await createPost(app, { status: 'scheduled', publishedAt: new Date(Date.now() - 60_000) });
    expect((await client.get('/admin')).text).toMatch(/überfällig.{0,40}seit.{0,40}<time /s);
  });

  test('reads in German which release a draft is in, and when that is published', async () => {
    const by = byCommand;
    const publishAt = new Date(Date.now() + 3_600_000);
    const release = await createRelease(app, { name: 'Frühling', publishAt, step: 'schedule', by });
    const { id } = await createPost(app, { title: 'In spring' });
    await addPostsToRelease(app, { releaseId: release.id, postIds: [id], editorId: null });
    const words = (await client.get(`/admin/posts/${id}`)).text.replaceAll(/<[^>]*>/g, '');
    expect(words).toContain('Veröffentlicht mit Frühling um ');
  });

  test('reads in German why an invitation was not sent', async () => {
    const person = { displayName: 'Grete', email: 'grete@example.org', role: 'author', intent: 'invite' };
    const { text } = await client.post('/admin/users/new', person);
    expect(text).toContain('E-Mail ist nicht eingerichtet');
  });

  test('is refused in German', async () => {
    const refused = await client.post('/admin/posts/new', late);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('muss in der Zukunft liegen');
  });

  test('gets the contract’s words where a script asks', async () => {
    const { text } = await client.post('/admin/posts/new', late, json);
    expect(text).toContain('Publication time must be in the future.');
  });
});

test('the screens of a person whose language is Arabic run from right to left', async () => {
  await client.post('/admin/account', { displayName: 'Ada', language: 'ar' });
  expect((await client.get('/admin/posts')).text).toContain('<html lang="ar" dir="rtl"');
  await client.post('/admin/account', { displayName: 'Ada', language: '' });
});

test('before the login the language is the site’s', async () => {
  const stranger = server.client();
  expect((await stranger.get('/admin/login')).text).toContain('Log in');
  await client.post('/admin/settings/site', { site_language: 'de' });
  expect((await stranger.get('/admin/login')).text).toContain('>Anmelden<');
  const nobody = { email: 'x@example.org', password: 'nothing at all' };
  const refused = await stranger.post('/admin/login', nobody);
  expect(refused.text).toContain('E-Mail oder Passwort ist falsch.');
  await client.post('/admin/settings/site', { site_language: 'en' });
});
