import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPost as savePost, editPost } from '#app/publishing/posts/save.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { logInAsAdministrator } from '#tests/support/backend.ts';
import { createPost } from '#tests/support/factories.ts';
import { createClient, type Client } from '#tests/support/http-client.ts';
import { startXkeyCache, type XkeyCache } from '#tests/support/processes/xkey-cache.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let app: TestApp;
let server: TestServer;
let cache: XkeyCache;
let editor: Client;
let reader: Client;

beforeAll(async () => {
  cache = await startXkeyCache(() => server.url);
  const variables = { OUTBOUND_ALLOW: '127.0.0.1', INDEXNOW_ENDPOINT: cache.url };
  app = await createTestApp({ now: new Date(), variables });
  server = await startServer({ env: app.variables });
  editor = server.client();
  reader = createClient(cache.url);
  await logInAsAdministrator(app, editor);
});
afterAll(async () => {
  cache.close();
  await server.stop();
  await app.close();
});

const keysOf = async (path: string) => String((await reader.get(path)).headers['surrogate-key']).split(' ');
const createPublished = (title: string, tag: string) =>
  savePost(app, {
    editorId: null,
    intent: 'publish',
    fields: { title, excerpt: 'An excerpt.', body: 'Words.', tags: [tag] },
  });
const stateOf = async (path: string) => (await reader.get(path)).headers['x-cache'];

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen within half a minute.');
    await sleep(50);
  }
}

it('names public answers, and tells the cache in front what a change made stale', async () => {
  const post = await createPublished('Spring tide', 'Sea');
  await createPublished('Other', 'Land');
  const off = await reader.get('/');
  expect([off.headers['surrogate-key'], off.headers['cache-control']]).toEqual([
    undefined,
    'public, no-cache',
  ]);
  const saved = await editor.post('/admin/settings/delivery', {
    ...{ intent: 'save', cache_keys: 'yes', purge_form: 'xkey', purge_url: cache.url, purge_token: 'word' },
  });
  expect(saved.status, saved.text.slice(0, 500)).toBe(302);
  await until(() => cache.purges.length >= 2);
  expect(cache.purges[0]).toEqual({ keys: ['all'], authorization: 'Bearer word' });

  expect(await keysOf('/')).toEqual(expect.arrayContaining(['all', 'home']));
  expect(await keysOf('/posts/spring-tide')).toEqual(expect.arrayContaining(['all', `post-${post.id}`]));
  expect(await keysOf('/tags/sea')).toEqual(expect.arrayContaining(['all', 'tag-sea']));
  expect(await keysOf('/rss.xml')).toEqual(expect.arrayContaining(['all', 'feeds']));
  expect(await keysOf('/posts/tomorrow')).toEqual(['all', expect.stringMatching(/^path-[0-9a-f]{20}$/)]);
  expect(await keysOf('/uploads/none.png')).toContain('all');
  expect((await editor.get('/admin')).headers['surrogate-key']).toBeUndefined();
  const { headers } = await reader.get('/posts/other');
  expect(headers['cache-tag']).toBe(String(headers['surrogate-key']).replaceAll(' ', ','));
  expect(headers['cdn-cache-control']).toMatch(/^public, max-age=\d+$/);
  // A search and a file are not purged: what they allow browsers holds for caches, too.
  expect((await reader.get('/search?q=tide')).headers).toMatchObject({
    'cache-control': 'public, no-cache',
    'cdn-cache-control': expect.stringContaining('no-cache') as string,
  });
  const icon = (await reader.get('/favicon.svg')).headers;
  expect(icon['cdn-cache-control']).toBe(icon['cache-control']);
  for (const path of ['/api/health', '/preview/none'])
    expect((await reader.get(path)).headers, path).not.toHaveProperty('surrogate-key');
  const paths = ['/', '/posts/spring-tide', '/posts/other', '/tags/sea', '/rss.xml', '/posts/tomorrow'];
  for (const path of paths) expect(await stateOf(path), path).toBe('HIT');

  const before = cache.purges.length;
  await editPost(app, { postId: post.id, editorId: null, intent: 'save', fields: { body: 'New words.' } });
  await until(() => cache.purges.length >= before + 2);
  expect(cache.purges.at(-1)!.keys).toEqual(expect.arrayContaining([`post-${post.id}`, 'feeds']));
  expect((await reader.get('/posts/spring-tide')).text).toContain('New words.');
  expect((await reader.get('/rss.xml')).text).toContain('New words.');
  for (const path of ['/posts/other', '/posts/tomorrow']) expect(await stateOf(path), path).toBe('HIT');

  const page = await editor.get(`/admin/posts/${post.id}`);
  expect(page.text).toContain('What publishing it caused');
  const link = /href="([^"]*effects\?subject=post[^"]*)"/.exec(page.text)![1]!;
  expect((await editor.get(link)).text).toContain('cache.purge');
});

it('a cached 404 goes when a post comes to its address, and nothing unpublished is named', async () => {
  const draft = await createPost(app, { title: 'Tomorrow', slug: 'tomorrow', status: 'draft' });
  const edit = { postId: draft.id, editorId: null };
  const before = cache.purges.length;
  await editPost(app, { ...edit, intent: 'save', fields: { body: 'Not yet.' } });
  expect((await reader.get('/posts/tomorrow')).status).toBe(404);
  expect(await stateOf('/posts/tomorrow')).toBe('HIT');
  await sleep(2_500);
  expect(cache.purges.length).toBe(before);
  await editPost(app, { ...edit, intent: 'publish', fields: {} });
  await until(() => cache.purges.length >= before + 2);
  expect(cache.purges.at(-1)!.keys).toEqual(expect.arrayContaining([`post-${draft.id}`, 'home', 'feeds']));
  expect((await reader.get('/posts/tomorrow')).text).toContain('Not yet.');
  expect((await reader.get('/')).text).toContain('Tomorrow');
});

it('feeds name the hub, and the key of IndexNow has an address', async () => {
  const reader = server.client();
  const hub = `${cache.url}/hub`;
  expect((await reader.get('/rss.xml')).headers.link).toBeUndefined();
  const saved = await editor.post('/admin/settings/delivery', { websub_hub: hub, indexnow: 'yes' });
  expect(saved.status, saved.text.slice(0, 500)).toBe(302);
  const [rss, atom, json] = [
    await reader.get('/rss.xml'),
    await reader.get('/atom.xml'),
    await reader.get('/feed.json'),
  ];
  expect(rss.headers.link).toBe(`<${hub}>; rel="hub", <https://blog.example.org/rss.xml>; rel="self"`);
  expect(rss.text).toContain(`<atom:link href="${hub}" rel="hub"/>`);
  expect(atom.text).toContain(`<link rel="hub" href="${hub}"/>`);
  expect(json.json()).toMatchObject({ hubs: [{ type: 'WebSub', url: hub }] });
  const page = await editor.get('/admin/settings/delivery');
  const key = /href="\/([0-9a-f]{32})\.txt"/.exec(page.text)?.[1];
  expect((await reader.get(`/${key}.txt`)).text).toBe(key);
  await editor.post('/admin/settings/delivery', { indexnow: 'no' });
  expect((await reader.get(`/${key}.txt`)).status).toBe(404);
});
