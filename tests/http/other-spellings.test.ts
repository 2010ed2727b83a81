// A proxy's prefix rule sees one spelling of an address, so the server knows only that one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createPost } from '#tests/support/factories.ts';
import { createPerson, type Person } from '#tests/support/roles.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let editor: Person;
const bearer = { authorization: 'Bearer test-cron-secret' };

beforeAll(async () => {
  app = await createTestApp({ now: new Date() });
  const live = { status: 'published', publishedAt: new Date(0) } as const;
  await createPost(app, { slug: 'one', ...live });
  await createPost(app, { slug: '标题', ...live });
  server = await startServer({ env: app.variables });
  editor = await createPerson(app, server, 'editor');
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
});

const get = async (path: string, headers = {}) => {
  const { status, headers: answered } = await server.client().send('GET', path, headers);
  return [status, answered.location] as const;
};

describe('other spellings of what machines call are 404', () => {
  it.each([
    '/API/health',
    '/Api/internal/metrics',
    '/api/Internal/metrics',
    '/%61pi/internal/metrics',
    '/api/%69nternal/metrics',
    '/api//internal/metrics',
    '//api/internal/metrics',
    '/api/internal/metrics.data',
    '/RSS.xml',
    '/Feed.json',
    '/SITEMAP.XML',
    '/rss%2Exml',
    '/rss.xml.data',
    '/admin/login?_data=admin%2Fadmin.route',
    '/preview/site/none/?_data=x',
  ])('%s', async (path) => {
    expect((await get(path, bearer))[0]).toBe(404);
  });

  it('and the internal route publishes by its own address alone', async () => {
    for (const path of ['/API/internal/posts/publish-scheduled', '/api/internal/posts/publish%2Dscheduled'])
      expect((await server.client().send('POST', path, bearer)).status).toBe(404);
    const own = '/api/internal/posts/publish-scheduled';
    expect((await server.client().send('POST', own, bearer)).status).toBe(200);
  });
});

describe('other spellings of a page lead to it with 301', () => {
  it.each([
    ['/Posts/one', '/posts/one'],
    ['/POSTS/%6fne', '/posts/one'],
    ['/posts/%6Fne', '/posts/one'],
    ['/%70osts/one?x=1', '/posts/one?x=1'],
    ['/posts/%e6%a0%87%e9%a2%98', '/posts/%E6%A0%87%E9%A2%98'],
    ['/Tags/', '/tags'],
    ['/ARCHIVE', '/archive'],
    ['/Search?q=a', '/search?q=a'],
  ])('%s', async (path, location) => {
    expect(await get(path)).toEqual([301, location]);
    expect((await get(location))[0]).toBe(200);
  });

  it.each([
    ['/rss.xml/', '/rss.xml'],
    ['/archive/', '/archive'],
    ['/api/health/', '/api/health'],
    ['/uploads/2026/11/x.png/', '/uploads/2026/11/x.png'],
  ])('a trailing slash too: %s', async (path, location) => {
    expect(await get(path)).toEqual([301, location]);
  });

  it.each(['/posts//one', '//posts/one', '/posts/one.data', '/_root.data', '/Uploads/x', '/%75ploads/x'])(
    'what has no page is 404: %s',
    async (path) => {
      expect((await get(path))[0]).toBe(404);
    },
  );
});

it.each(['/Admin', '/%61dmin', '/admin/Posts', '/admin/%70osts', '/admin//posts', '/admin.data'])(
  'the backend has one spelling too: %s',
  async (path) => {
    expect((await editor.client.get('/admin/posts')).status).toBe(200);
    expect((await editor.client.send('GET', path)).status).toBe(404);
  },
);

it.each([
  ['/admin/', '/admin'],
  ['/admin/posts/?page=2', '/admin/posts?page=2'],
])('a trailing slash leads on in the backend too: %s', async (path, location) => {
  expect(await get(path)).toEqual([301, location]);
});

it('what the backend does not have stays 404 with a trailing slash', async () => {
  expect((await get('/admin/nothing/'))[0]).toBe(404);
  expect((await get('/nobody/'))[0]).toBe(404);
});
