// The form is that of Tumblr's first API and of `posts.xml` in its export.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportResult } from '#app/import/run/report.ts';
import { findRedirect } from '#app/posts/addresses/find-redirect.server.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';

const site = 'https://harbour.tumblr.com';
const escaped = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const post = (id: number, type: string, slug: string, content: string, more = '') =>
  `<post id="${id}" url="${site}/post/${id}" url-with-slug="${site}/post/${id}/${slug}" type="${type}" date-gmt="2014-07-19 13:31:59 GMT" date="Sat, 19 Jul 2014 22:31:59" unix-timestamp="1405776719" format="html" reblog-key="a" slug="${slug}" ${more}>${content}</post>`;
const text = (title: string, html: string) =>
  `<regular-title>${title}</regular-title><regular-body>${escaped(html)}</regular-body>`;
const photo = (name: string) =>
  `<photo-url max-width="500">https://64.media.tumblr.com/${name}_500.jpg</photo-url><photo-url max-width="1280">https://64.media.tumblr.com/${name}_1280.jpg</photo-url>`;
const xml = (...posts: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><tumblr version="1.0"><tumblelog name="harbour" timezone="US/Eastern" title="Harbour">About</tumblelog><posts start="0" total="9">${posts.join('')}</posts></tumblr>`;

const blog = xml(
  post(
    11,
    'regular',
    'tides-moons',
    `<tumblelog title="Harbour" name="harbour"/>${text('Tides &amp; moons', `<p>High <b>water</b>. <a href="${site}/post/12">Two</a></p>`)}<tag>sea</tag><tag>Low tide</tag>`,
  ),
  post(12, 'Photo', 'a-cat', `<photo-caption>${escaped('<p>A cat</p>')}</photo-caption>${photo('cat')}`),
  post(
    13,
    'photo',
    'a-set',
    `<photo-caption></photo-caption>${photo('one')}<photoset><photo offset="o1" caption="One">${photo('one')}</photo><photo offset="o2" caption="">${photo('two')}</photo></photoset>`,
  ),
  post(14, 'quote', 'said', '<quote-text>To be</quote-text><quote-source>Shakespeare</quote-source>'),
  post(
    15,
    'link',
    'an-article',
    `<link-text>An article</link-text><link-url>https://x.example/?a=1&amp;b=2</link-url><link-description>${escaped('<p>Read it</p>')}</link-description>`,
  ),
  post(
    16,
    'conversation',
    'talk',
    '<conversation-title>Talk</conversation-title><conversation-text>Ada: Hi</conversation-text><conversation><line name="Ada" label="Ada:">Hi</line><line name="Bob" label="Bob:">Ho</line></conversation>',
  ),
  post(
    17,
    'video',
    'a-film',
    `<video-caption>${escaped('<p>Watch</p>')}</video-caption><video-source>https://www.youtube.com/watch?v=abcdefghijk</video-source><video-player>${escaped('<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>')}</video-player>`,
  ),
  post(18, 'answer', 'asked', `<question>Who?</question><answer><![CDATA[<p>Me</p>]]></answer>`),
  post(19, 'regular', 'hidden', text('Hidden', '<p>x</p>'), 'private="true"'),
  post(20, 'regular', '', text('', '<p>No title here</p>'), 'reblogged-from-name="bob"'),
  post(21, 'poll', 'a-poll', '<poll-question>Who?</poll-question>'),
);

describe('content:import --from tumblr', () => {
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    app = await createTestApp({ now: '2026-11-20T12:00:00Z' });
    folder = await folderWith({ 'posts.xml': blog, 'other.xml': '<feed/>', 'cut.xml': blog.slice(0, 900) });
  });
  afterAll(() => app?.close());
  const importFile = (name: string) => importResult(app, { from: 'tumblr', input: path.join(folder, name) });
  const bodyOf = async (slug: string) => (await app.db.post.findUniqueOrThrow({ where: { slug } })).body;

  describe('of posts of every type', () => {
    let result: ImportResult;
    beforeAll(async () => {
      result = await importFile('posts.xml');
    });

    test('counts what it takes, and names what it leaves out', async () => {
      expect(result).toMatchObject({ source: 'tumblr', imported: { posts: 10, tags: 2 } });
      expect(result.skipped).toEqual([{ item: '21', reason: 'Posts of the type “poll” cannot be read.' }]);
      expect(result.warnings).toEqual(
        expect.arrayContaining([
          '19: It was not public: the post becomes a draft.',
          '20: It is a reblog of a post of bob.',
        ]),
      );
      expect(await app.db.post.findUnique({ where: { slug: 'hidden' } })).toMatchObject({ status: 'draft' });
    });

    test('keeps title, text, date, tags and feed id of a post', async () => {
      expect(
        await app.db.post.findUnique({
          where: { slug: 'tides-moons' },
          include: { tags: { orderBy: { position: 'asc' }, include: { tag: true } } },
        }),
      ).toMatchObject({
        title: 'Tides & moons',
        body: 'High **water**. [Two](/posts/a-cat)',
        status: 'published',
        publishedAt: new Date('2014-07-19T13:31:59.000Z'),
        sourceGuid: `${site}/post/11`,
        tags: [{ tag: { name: 'sea' } }, { tag: { name: 'Low tide' } }],
      });
    });

    test('writes Markdown for every type, and gives a title to what has none', async () => {
      expect(await bodyOf('a-cat')).toBe('![](https://64.media.tumblr.com/cat_1280.jpg)\n\nA cat');
      expect(await bodyOf('a-set')).toMatch(/^!\[One\]\(\S+one_1280\.jpg\)\s!\[\]\(\S+two_1280\.jpg\)$/);
      expect(await bodyOf('said')).toBe('> To be\n\nShakespeare');
      expect(await bodyOf('an-article')).toBe('[An article](https://x.example/?a=1\\&b=2)\n\nRead it');
      expect(await bodyOf('talk')).toBe('**Ada:** Hi\n\n**Bob:** Ho');
      expect(await bodyOf('a-film')).toBe('<https://www.youtube.com/watch?v=abcdefghijk>\n\nWatch');
      expect(await bodyOf('asked')).toBe('> Who?\n\nMe');
      for (const [slug, title] of [
        ['said', 'To be Shakespeare'],
        ['post-20', 'No title here'],
      ] as const)
        expect(await app.db.post.findUnique({ where: { slug } })).toMatchObject({ title });
    });

    test('leads from old addresses to the posts', async () => {
      for (const [old, here] of [
        ['/post/11', '/posts/tides-moons'],
        ['/post/11/tides-moons', '/posts/tides-moons'],
        ['/rss', '/rss.xml'],
      ])
        expect(await findRedirect(app, old!), old).toBe(here);
    });

    test('changes nothing when it runs again', async () => {
      expect(await importFile('posts.xml')).toMatchObject({ imported: { posts: 0 }, unchanged: 10 });
    });
  });

  test.each([
    ['other.xml', /not an export of Tumblr/],
    ['cut.xml', /cannot be read as XML/],
    ['none.xml', /There is no file/],
  ])('refuses %s', async (name, message) => {
    await expect(importFile(name)).rejects.toThrow(message);
  });
});
