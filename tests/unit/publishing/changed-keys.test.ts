import { describe, expect, it } from 'vitest';
import { EVERY_PAGE } from '#app/platform/http/page-keys.ts';
import {
  changedKeys,
  changedPositions,
  picturedKeys,
  type PostListing,
} from '#app/publishing/change/changed-keys.ts';

const post: PostListing = {
  path: '/posts/p',
  listedIn: '',
  language: '',
  translationOf: null,
  publishedAt: '2026-11-20T08:00:00.000Z',
  authorIds: ['ann'],
  categoryId: 'news',
  tagIds: ['rust', 'web'],
  teaser: 'first',
};
const lists = ['list:all', 'list:ann', 'list:news', 'list:rust', 'list:web'];

const keysOf = (before: PostListing | null | 'unknown', after: PostListing | null) =>
  [...changedKeys([{ id: 'p', before, after }])].sort();

describe('the keys of a change', () => {
  it('of a text that lists do not show are those of the own page, feeds and sitemap', () => {
    expect(keysOf(post, { ...post })).toEqual(['post:p', 'sitemap']);
  });

  it('of a title or excerpt are also those of the pages that show it', () => {
    expect(keysOf(post, { ...post, teaser: 'second' })).toEqual(['post:p', 'sitemap', 'teaser:p']);
  });

  it('of a publication are those of every list of the post', () => {
    const own = ['path:/posts/', 'path:/posts/p', 'post:p', 'translations:p'];
    const expected = [...own, 'sitemap', 'teaser:p', 'terms', ...lists].sort();
    expect(keysOf(null, post)).toEqual(expected);
    expect(keysOf(post, null)).toEqual(expected);
  });

  it('of another category, author or tag are those of both lists and no other', () => {
    expect(keysOf(post, { ...post, categoryId: 'essays' })).toEqual(
      ['list:essays', 'list:news', 'post:p', 'sitemap', 'terms'].sort(),
    );
    expect(keysOf(post, { ...post, tagIds: ['rust', 'wasm'] })).toEqual(
      ['list:wasm', 'list:web', 'post:p', 'sitemap', 'terms'].sort(),
    );
    expect(keysOf(post, { ...post, authorIds: [] })).toEqual(['list:ann', 'post:p', 'sitemap', 'terms']);
  });

  it('of another address are those of both paths and what is above them; a page is in no list', () => {
    const page = { ...post, path: '/about', listedIn: 'pages' };
    const always = ['path:/', 'path:/about', 'post:p', 'sitemap', 'translations:p'];
    expect(keysOf(null, page)).toEqual([...always, 'teaser:p'].sort());
    expect(keysOf(page, { ...page, path: '/imprint' })).toEqual([...always, 'path:/imprint'].sort());
  });

  it('of another time are those of every list', () => {
    const later = { ...post, publishedAt: '2026-11-21T08:00:00.000Z', teaser: 'later' };
    expect(keysOf(post, later)).toEqual(['post:p', 'sitemap', 'teaser:p', 'terms', ...lists].sort());
  });

  it('of another language of the site are those of every list of both', () => {
    expect(keysOf(post, { ...post, listedIn: 'de' })).toEqual(
      ['post:p', 'sitemap', 'terms', 'list:de', ...lists].sort(),
    );
  });

  it('of a post that is public neither before nor after are none', () => {
    expect(keysOf(null, null)).toEqual([]);
  });

  it('are those of every page where it is not known what readers saw, or too much changed', () => {
    expect(keysOf('unknown', post)).toEqual([EVERY_PAGE]);
    const many = Array.from({ length: 51 }, (_, id) => ({
      id: `${id}`,
      before: null,
      after: post,
    }));
    expect([...changedKeys(many)]).toEqual([EVERY_PAGE]);
    expect([...changedKeys(many.slice(1))]).not.toContain(EVERY_PAGE);
    expect([changedPositions(many).length, changedPositions(many.slice(1)).length]).toEqual([0, 50]);
    const ids = many.map(({ id }) => id);
    expect(picturedKeys(new Set(ids))).toEqual([EVERY_PAGE]);
    expect(picturedKeys(new Set(ids.slice(1)))).toHaveLength(100);
  });

  it('of a translation are also those of the post that it translates, before and after', () => {
    const translation = (translationOf: string | null) => ({ ...post, translationOf });
    const keys = keysOf(translation('a'), translation('b'));
    expect(keys.filter((key) => key.startsWith('translations:'))).toEqual([
      'translations:a',
      'translations:b',
    ]);
  });

  it('of the first or last episode are also those of the page of its category', () => {
    const episode = (isEpisode: boolean) => ({ ...post, isEpisode });
    for (const [before, after] of [
      [episode(false), episode(true)],
      [episode(true), episode(false)],
    ] as const)
      expect(keysOf(before, after)).toContain('list:news');
    expect(keysOf(episode(true), episode(true))).not.toContain('list:news');
  });
});

describe('the places of a change', () => {
  const at = (day: number) => ({ ...post, publishedAt: `2026-11-${day}T08:00:00.000Z` });

  it('are where a post was and where it is, if it moved, came or went', () => {
    const places = (before: PostListing | null, after: PostListing | null) =>
      changedPositions([{ id: 'p', before, after }]).map(({ publishedAt }) => publishedAt.slice(8, 10));
    expect(places(at(10), at(12))).toEqual(['10', '12']);
    expect(places(null, at(12))).toEqual(['12']);
    expect(places(at(10), null)).toEqual(['10']);
    expect(places(at(10), at(10))).toEqual([]);
    expect(places(null, { ...at(12), listedIn: 'pages' })).toEqual([]);
    // The posts on both sides in another list change too, though the time is the same.
    expect(places(at(10), { ...at(10), listedIn: 'de' })).toEqual(['10', '10']);
  });
});
