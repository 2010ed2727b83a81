// A browser that opens a feed's address gets a page for people; everybody else gets the feed.
import { beforeAll, expect, it } from 'vitest';
import type { Client, Fields } from '#tests/support/http-client.ts';
import { openSite } from '#tests/support/site.ts';

let editor: Client;
let reader: Client;

beforeAll(async () => {
  const site = await openSite();
  editor = site.editor;
  reader = site.server.client();
  const save = (path: string, fields: Fields) => editor.post(`/admin/${path}`, fields);
  await save('settings/site', { site_languages: 'de' });
  await save('posts/new', {
    title: 'Tides',
    body: 'All of it.',
    tags: 'Coast',
    category: 'News',
    intent: 'publish',
  });
  await save('posts/new', { title: 'Gezeiten', body: 'Alles.', language: 'de', intent: 'publish' });
  await save('posts/new', { title: 'Not yet', body: 'A draft.', intent: 'save' });
});

const inBrowser = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };

it.each([
  ['/rss.xml', 'Tides'],
  ['/atom.xml', 'Tides'],
  ['/feed.json', 'Tides'],
  ['/tags/coast/rss.xml', 'Tides'],
  ['/de/rss.xml', 'Gezeiten'],
])('%s', async (path, title) => {
  const page = await reader.get(path, inBrowser);
  expect(page).toMatchObject({ status: 200 });
  expect(page.headers['content-type']).toContain('text/html');
  // A shared cache would show it to feed readers.
  expect(page.headers['cache-control']).toBe('private, no-cache');
  expect(page.text).toMatch(new RegExp(`<input[^>]*value="[^"]*${path}"`));
  expect(page.text).toContain(title);
  expect(page.text).not.toContain('Not yet');
  expect(page.text).toContain('noindex');
  for (const headers of [{}, { accept: 'text/html,*/*' }, { 'sec-fetch-dest': 'empty' }]) {
    const feed = await reader.get(path, headers);
    expect(feed.headers['content-type']).toMatch(/xml|json/);
    expect(feed.text).toContain(title);
  }
});

it('shows a new post at once, as the feed does', async () => {
  await reader.get('/rss.xml', inBrowser);
  await editor.post('/admin/posts/new', { title: 'Just now', body: 'New.', intent: 'publish' });
  expect((await reader.get('/rss.xml', inBrowser)).text).toContain('Just now');
});

it('what is no feed answers as ever, and the page has no address of its own', async () => {
  expect(await reader.get('/tags/nothing/rss.xml', inBrowser)).toMatchObject({ status: 404 });
  expect((await reader.get('/sitemap.xml', inBrowser)).headers['content-type']).toContain('xml');
  expect(await reader.get('/-/feed/rss.xml')).toMatchObject({ status: 404 });
  expect(await reader.get('/-/feed/rss.xml', inBrowser)).toMatchObject({ status: 404 });
});
