import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderAtom } from '#app/feeds/atom.ts';
import { toFeed } from '#app/feeds/feed.ts';
import { renderJsonFeed } from '#app/feeds/json.ts';
import { renderRss } from '#app/feeds/rss.ts';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { atomProblems, jsonFeedProblems, rssProblems } from '#tests/support/feed-rules.ts';
import { all, parseXml, textOf } from '#tests/support/xml.ts';

const origin = 'https://blog.example.org';
const channel = {
  origin,
  path: '/',
  title: 'Notes & more',
  description: 'Published on time.',
  language: 'en',
  hub: '',
};

function article(overrides: Partial<PostArticle> = {}): PostArticle {
  return {
    id: '0193a1b2-0000-7000-8000-000000000001',
    sourceGuid: '',
    slug: '数据-and-more',
    title: 'A <title> & "more"',
    excerpt: 'What it is about.',
    publishedAt: new Date('2026-11-20T08:00:00.000Z'),
    updatedAt: new Date('2026-11-21T09:30:00.000Z'),
    wordCount: 10,
    authors: [{ username: 'ada', displayName: 'Ada & Co' }],
    category: { slug: 'news', name: 'News' },
    cover: {
      src: '/uploads/2026/11/a.webp',
      srcSet: '',
      avifSrcSet: '',
      alt: 'A picture',
      width: 1600,
      height: 900,
      color: '',
      mimeType: 'image/webp',
      bytes: 1234,
    },
    coverFocus: '',
    coverCrop: '',
    bodyHtml:
      '<p>See <a href="/posts/x">x</a>, <a href="#note">the note</a> and <img src="/uploads/b.png">]]></p>',
    standfirst: '',
    headings: [],
    tags: [
      { slug: 'a', name: 'News' },
      { slug: 'b', name: 'B & C' },
    ],
    categoryId: null,
    tagIds: [],
    listedIn: '',
    translations: [],
    seoTitle: '',
    seoDescription: '',
    language: '',
    translationOf: null,
    canonicalUrl: '',
    ...overrides,
  };
}

describe('the three formats', () => {
  const feed = toFeed(channel, [
    article(),
    article({ id: '0193a1b2-0000-7000-8000-000000000002', cover: null }),
  ]);

  test('obey their specifications', () => {
    expect(rssProblems(renderRss(feed, `${origin}/rss.xml`))).toEqual([]);
    expect(atomProblems(renderAtom(feed, `${origin}/atom.xml`))).toEqual([]);
    expect(jsonFeedProblems(renderJsonFeed(feed, `${origin}/feed.json`))).toEqual([]);
  });

  test('obey them while there is nothing to show', () => {
    const empty = toFeed({ ...channel, description: '' }, []);
    expect(rssProblems(renderRss(empty, `${origin}/rss.xml`))).toEqual([]);
    expect(atomProblems(renderAtom(empty, `${origin}/atom.xml`))).toEqual([]);
    expect(jsonFeedProblems(renderJsonFeed(empty, `${origin}/feed.json`))).toEqual([]);
  });

  test('obey them whatever people write', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(anything, anything, anything, (title, excerpt, bodyHtml) => {
        const odd = toFeed({ ...channel, title: `T${title}` }, [
          article({ title: `t${title}`, excerpt, bodyHtml }),
        ]);
        expect(rssProblems(renderRss(odd, `${origin}/rss.xml`))).toEqual([]);
        expect(atomProblems(renderAtom(odd, `${origin}/atom.xml`))).toEqual([]);
        expect(jsonFeedProblems(renderJsonFeed(odd, `${origin}/feed.json`))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('carry the text unchanged, addresses made absolute', () => {
    const url = `${origin}/posts/${encodeURIComponent('数据-and-more')}`;
    const html = `<p>See <a href="${origin}/posts/x">x</a>, <a href="${url}#note">the note</a> and <img src="${origin}/uploads/b.png">]]></p>`;
    const item = all(all(parseXml(renderRss(feed, `${origin}/rss.xml`)), 'channel')[0]!, 'item')[0]!;
    expect(textOf(item, 'content:encoded')).toBe(html);
    // The format says HTML.
    expect(textOf(item, 'title')).toBe('A &lt;title&gt; &amp; "more"');
    expect(textOf(item, 'link')).toBe(url);
    expect(textOf(item, 'dc:creator')).toBe('Ada & Co');
    expect(all(item, 'category').map(({ text }) => text)).toEqual(['News', 'B & C']);
    const entry = all(parseXml(renderAtom(feed, `${origin}/atom.xml`)), 'entry')[0]!;
    expect(textOf(entry, 'content')).toBe(html);
  });
});

describe('what a feed says about time and identity', () => {
  test('a post keeps its id when its slug and title change', () => {
    const before = toFeed(channel, [article()]).items[0]!;
    const after = toFeed(channel, [article({ slug: 'new', title: 'New' })]).items[0]!;
    expect(before.id).toBe('urn:uuid:0193a1b2-0000-7000-8000-000000000001');
    expect(after.id).toBe(before.id);
    expect(after.url).not.toBe(before.url);
  });

  test('a feed is as old as its latest change', () => {
    const older = article({ updatedAt: new Date('2026-11-20T08:00:00.000Z') });
    const feed = toFeed(channel, [older, article({ id: '0193a1b2-0000-7000-8000-000000000003' })]);
    expect(feed.updatedAt.toISOString()).toBe('2026-11-21T09:30:00.000Z');
    expect(renderRss(feed, `${origin}/rss.xml`)).toContain(
      '<lastBuildDate>Sat, 21 Nov 2026 09:30:00 GMT</lastBuildDate>',
    );
  });

  test('characters that XML cannot hold are left out', () => {
    const feed = toFeed(channel, [
      article({ title: 'a\u0000b\u000bc\ufffed\ud800e', bodyHtml: '<p>\u0001x</p>' }),
    ]);
    const item = all(all(parseXml(renderRss(feed, `${origin}/rss.xml`)), 'channel')[0]!, 'item')[0]!;
    expect(textOf(item, 'title')).toBe('abcde');
    expect(textOf(item, 'content:encoded')).toBe('<p>x</p>');
  });
});
