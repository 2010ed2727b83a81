// The forms are those of real exports: "Back up content" until 2024, and `feed.atom` of Google Takeout since then.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

const BLOG = 'tag:blogger.com,1999:blog-11';
const kind = (name: string) =>
  `<category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#${name}"/>`;
const label = (name: string) => `<category scheme="http://www.blogger.com/atom/ns#" term="${name}"/>`;
const link = (address: string) => `<link rel="alternate" type="text/html" href="${address}" title="x"/>`;
const html = (text: string) => `<content type="html">${text.replaceAll('<', '&lt;')}</content>`;
const by = (name: string) => `<author><name>${name}</name><email>noreply@blogger.com</email></author>`;
const entry = (id: string, time: string, ...parts: string[]) =>
  `<entry><id>${BLOG}.${id}</id><published>${time}</published><updated>${time}</updated>${parts.join('')}</entry>`;
const feed = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://purl.org/atom/app#" xmlns:thr="http://purl.org/syndication/thread/1.0" xmlns:blogger="http://schemas.google.com/blogger/2018"><id>${BLOG}.archive</id><title>Harbour</title>${entries.join('')}</feed>`;

const site = 'https://harbour.blogspot.com';
const backup = feed(
  entry('layout', '2020-01-01T00:00:00.000Z', kind('template'), '<title>Template</title>', html('<b/>')),
  entry(
    'post-1',
    '2020-03-04T10:30:00.000+02:00',
    kind('post'),
    label('Sea &amp; sand'),
    '<title>Tides &amp; moons</title>',
    html(`<p>High <b>water</b>. <a href="${site}/2020/03/second.html">Second</a></p>`),
    link(`${site}/2020/03/tides-moons.html`),
    by('Ada Lovelace'),
  ),
  entry(
    'post-2',
    '2020-03-05T10:30:00.000Z',
    kind('post'),
    '<title></title>',
    html('<p>Two</p>'),
    link(`${site}/2020/03/second.html`),
  ),
  entry(
    'post-3',
    '2020-03-06T10:30:00.000Z',
    kind('post'),
    '<title>Idea</title>',
    html('<p>Draft</p>'),
    '<app:control><app:draft>yes</app:draft></app:control>',
  ),
  entry(
    'page-4',
    '2020-03-07T10:30:00.000Z',
    kind('page'),
    '<title>About</title>',
    html('Us'),
    link(`${site}/p/about.html`),
  ),
  entry(
    'post-5',
    '2020-03-08T10:30:00.000Z',
    kind('comment'),
    '<title>Nice</title>',
    html('Nice <img src="https://bad.example/a.gif">'),
    by('Bob'),
    `<thr:in-reply-to href="${site}/2020/03/tides-moons.html" ref="${BLOG}.post-1" type="text/html"/>`,
  ),
);
const takeout = feed(
  entry(
    'post-9',
    '2024-03-04T10:30:00Z',
    '<blogger:type>POST</blogger:type><blogger:status>LIVE</blogger:status>',
    '<title>From Takeout</title>',
    html('<p>Newer</p>'),
    by('Ada Lovelace'),
    '<category scheme="tag:blogger.com,1999:blog-11" term="Boats"/>',
    '<blogger:filename>/2024/03/from-takeout.html</blogger:filename>',
  ),
  entry(
    'post-10',
    '2024-03-05T10:30:00Z',
    '<blogger:parent>tag:blogger.com,1999:blog-11.post-9</blogger:parent>',
    '<blogger:type>COMMENT</blogger:type><blogger:status>LIVE</blogger:status>',
    html('Welcome'),
    by('Cy'),
  ),
  entry(
    'post-12',
    '2024-03-06T10:30:00Z',
    '<blogger:type>POST</blogger:type><blogger:status>DRAFT</blogger:status><title>Not yet</title>',
    html(`<a href="${site}/2024/03/from-takeout.html">a</a> <a href="${site}/2024/03/gone.html">b</a>`),
  ),
);

describe('content:import --from blogger', () => {
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    app = await createTestApp();
    folder = await folderWith({
      'blog.xml': backup,
      'feed.atom': takeout,
      'other.xml': '<feed/>',
      'cut.xml': backup.slice(0, 900),
    });
  });
  afterAll(() => app?.close());

  const importFile = (name: string) => importResult(app, { from: 'blogger', input: path.join(folder, name) });
  const postAt = (slug: string) =>
    app.db.post.findUniqueOrThrow({
      where: { slug },
      include: { author: true, tags: { include: { tag: true } }, comments: true },
    });

  test('takes posts, drafts, pages, labels and comments', async () => {
    const result = await importFile('blog.xml');
    expect(result).toMatchObject({
      source: 'blogger',
      imported: { posts: 3, pages: 1, tags: 1, comments: 1 },
      skipped: [],
      ignored: { template: 1 },
    });
    const post = await postAt('tides-moons');
    expect(post).toMatchObject({
      title: 'Tides & moons',
      body: 'High **water**. [Second](/posts/second)',
      status: 'published',
      publishedAt: new Date('2020-03-04T08:30:00.000Z'),
      sourceGuid: `${BLOG}.post-1`,
      author: { displayName: 'Ada Lovelace' },
      tags: [{ tag: { name: 'Sea & sand' } }],
      comments: [{ name: 'Bob' }],
    });
    expect(post.comments[0]!.html).not.toContain('<img');
    expect(await postAt('second')).toMatchObject({ title: 'Untitled' });
    expect(await postAt('idea')).toMatchObject({ status: 'draft', sourceGuid: '' });
    expect(await postAt('/about')).toMatchObject({ type: 'page', status: 'published' });
  });

  test.each([
    ['/2020/03/tides-moons.html', '/posts/tides-moons'],
    ['/p/about.html', '/about'],
    ['/search/label/Sea & sand', '/tags/sea-sand'],
    ['/feeds/posts/default', '/atom.xml'],
    ['/2020/03', '/archive'],
  ])('redirects the old address %s', async (old, now) => {
    expect(String(await findRedirect(app, old))).toMatch(new RegExp(`^${now}`));
  });

  test('changes nothing the second time', async () => {
    expect(await importFile('blog.xml')).toMatchObject({ imported: { posts: 0 }, unchanged: 4 });
  });

  test('reads feed.atom of Google Takeout', async () => {
    expect(await importFile('feed.atom')).toMatchObject({ imported: { posts: 2, comments: 1 } });
    expect(await postAt('from-takeout')).toMatchObject({
      tags: [{ tag: { name: 'Boats' } }],
      comments: [{ name: 'Cy' }],
    });
    expect(await findRedirect(app, '/2024/03/from-takeout.html')).toBe('/posts/from-takeout');
    expect(await postAt('not-yet')).toMatchObject({
      status: 'draft',
      body: `[a](/posts/from-takeout) [b](${site}/2024/03/gone.html)`,
    });
  });

  test('refuses what is something else', async () => {
    await expect(importFile('other.xml')).rejects.toThrow('not an export of Blogger');
    await expect(importFile('cut.xml')).rejects.toThrow('cannot be read as XML');
    await expect(importFile('none.xml')).rejects.toThrow('There is no file');
  });
});
