import path from 'node:path';
import { expect, test } from 'vitest';
import { renderAtom } from '#app/feeds/atom.ts';
import { readSiteFeed } from '#app/feeds/queries.server.ts';
import { renderRss } from '#app/feeds/rss.ts';
import { listComments, type PublicComment } from '#app/posts/lists/comments.server.ts';
import { describeWithApp, describeWithOneApp, type TestApp } from '#tests/support/app.ts';
import { folderWith } from '#tests/support/content-folders.ts';
import { importResult } from '#tests/support/import.ts';
import { wxrFile, type WxrItemOptions } from '#tests/support/wxr.ts';

interface CommentOptions {
  id: number;
  parent?: number;
  author?: string;
  content?: string;
  approved?: string;
  type?: string;
  minute?: number;
}

const comment = ({
  id,
  parent = 0,
  author = `A${id}`,
  content = 'Text',
  approved = '1',
  type = '',
  minute = id,
}: CommentOptions) =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author><![CDATA[${author}]]></wp:comment_author><wp:comment_author_email>secret@x.example</wp:comment_author_email><wp:comment_date_gmt>2020-01-02 03:${String(minute).padStart(2, '0')}:00</wp:comment_date_gmt><wp:comment_content><![CDATA[${content}]]></wp:comment_content><wp:comment_approved>${approved}</wp:comment_approved><wp:comment_type>${type}</wp:comment_type><wp:comment_parent>${parent}</wp:comment_parent><wp:commentmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v</wp:meta_value></wp:commentmeta></wp:comment>`;

async function run(app: TestApp, items: WxrItemOptions[]) {
  const folder = await folderWith({ 'x.xml': wxrFile(items) });
  return importResult(app, { from: 'wordpress', input: path.join(folder, 'x.xml') });
}

const outline = (threads: PublicComment[]): unknown =>
  threads.map(({ name, html, writtenAt, answers }) => [
    name,
    html,
    writtenAt.toISOString(),
    outline(answers),
  ]);

const item = { id: 1, slug: 'a', guid: 'https://old.example/?p=1' };
const comments = [
  comment({ id: 5, parent: 4, content: 'Deep', author: 'Ada &amp; Co' }),
  comment({
    id: 3,
    content: 'First <b>one</b>\n\nSecond <img src="https://x.example/a.png"><script>alert(1)</script>',
  }),
  comment({ id: 4, parent: 3, content: '# no heading' }),
  comment({ id: 6, approved: 'spam' }),
  comment({ id: 7, approved: '0' }),
  comment({ id: 8, type: 'pingback' }),
  comment({ id: 9, parent: 7, content: 'To one that waits' }),
];

describeWithOneApp('comments of an earlier site', (getApp) => {
  const readThreads = async () => {
    const { id } = await getApp().db.post.findUniqueOrThrow({ where: { slug: 'a' } });
    return listComments(getApp(), id);
  };

  test('come in threads, if they were approved, and without addresses', async () => {
    const app = getApp();
    const result = await run(app, [{ ...item, raw: comments.join('') }]);
    expect(result.imported).toMatchObject({ posts: 1, comments: 4 });
    expect(result.warnings).toEqual(['Comments that were not public, and pingbacks: 3 left out.']);
    const deep = ['Ada & Co', '<p>Deep</p>', '2020-01-02T03:05:00.000Z', []];
    expect(outline(await readThreads())).toEqual([
      [
        'A3',
        '<p>First <strong>one</strong></p>\n<p>Second <a href="https://x.example/a.png" rel="external noopener">https://x.example/a.png</a></p>',
        '2020-01-02T03:03:00.000Z',
        [['A4', '<p># no heading</p>', '2020-01-02T03:04:00.000Z', [deep]]],
      ],
      ['A9', '<p>To one that waits</p>', '2020-01-02T03:09:00.000Z', []],
    ]);
    expect(JSON.stringify(await app.db.comment.findMany())).not.toContain('secret');
  });

  test('follow a change at the source', async () => {
    const fewer = await run(getApp(), [{ ...item, raw: comments[1] }]);
    expect(fewer).toMatchObject({ imported: { posts: 0, comments: 1 }, updated: 1 });
    expect(await readThreads()).toHaveLength(1);
  });
});

describeWithApp('feed items of an earlier site', (getApp) => {
  test('are called in feeds what the old site called them', async () => {
    const app = getApp();
    await run(app, [
      { id: 1, guid: 'https://old.example/?p=1', dateGmt: '2020-01-03 00:00:00' },
      { id: 2, guid: 'not a uri', dateGmt: '2020-01-02 00:00:00' },
      { id: 3, guid: null, dateGmt: '2020-01-01 00:00:00' },
    ]);
    const ids = async () => {
      const feed = await readSiteFeed(app);
      const found = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map(([, one]) => one);
      return {
        rss: found(renderRss(feed, 'https://x.example/rss.xml'), /<guid[^>]*>([^<]*)/g),
        atom: found(renderAtom(feed, 'https://x.example/atom.xml'), /<entry>\n<id>([^<]*)/g),
      };
    };
    const uuid = expect.stringMatching(/^urn:uuid:/) as string;
    expect(await ids()).toEqual({
      rss: ['https://old.example/?p=1', 'not a uri', uuid],
      atom: ['https://old.example/?p=1', uuid, uuid],
    });
  });
});
