import { describe, expect, test } from 'vitest';
import type { PostArticle } from '#app/posts/lists/public-post.ts';
import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { breadcrumbs, webSite } from '#app/site/posts/article-head.ts';
import { dayAndMonth, isSameDay, longDate, yearOf } from '#app/site/shell/dates.ts';
import type { SiteFrame } from '#app/site/shell/frame.ts';
import { pageMeta } from '#app/site/shell/head.ts';
import { messagesFor } from '#app/site/shell/messages.ts';
import { readPageNumber, readSlug } from '#app/site/shell/address.ts';

const site: SiteFrame = {
  origin: 'https://blog.example.org',
  title: 'Notes',
  description: 'On time.',
  language: 'en',
  timeZone: 'UTC',
  siteLanguage: 'en',
  otherLanguages: [],
  postsPath: '/',
  header: [],
  footer: [],
  headerButton: null,
  announcement: null,
  menus: {},
  hasNewsletter: false,
  footerText: '',
  logo: null,
  icon: null,
  socialLinks: [],
  copyButton: false,
  embedHosts: [],
  themeHref: '/theme/x.css',
  fontFiles: [],
  listStyle: 'list',
  postStyle: 'above',
  headerPlace: 'top',
  footerStyle: 'line',
};

describe('dates', () => {
  const lateEvening = new Date('2026-12-31T23:30:00.000Z');

  test('follow the language and the zone', () => {
    expect(longDate(lateEvening, 'en-GB', 'UTC')).toBe('31 December 2026');
    expect(longDate(lateEvening, 'en-GB', 'Europe/Berlin')).toBe('1 January 2027');
    expect(longDate(lateEvening, 'zh-Hans', 'Asia/Shanghai')).toBe('2027年1月1日');
    expect(dayAndMonth(lateEvening, 'en-GB', 'UTC')).toBe('31 Dec');
    expect(yearOf(lateEvening, 'Asia/Shanghai')).toBe(2027);
  });

  test('a day is a day of the zone', () => {
    const earlyMorning = new Date('2027-01-01T00:30:00.000Z');
    expect(isSameDay(lateEvening, earlyMorning, 'UTC')).toBe(false);
    expect(isSameDay(lateEvening, earlyMorning, 'Europe/Berlin')).toBe(true);
  });
});

describe('what stands in an address', () => {
  test.each([
    ['', 1],
    ['?page=1', 1],
    ['?page=12', 12],
    ['?page=0', null],
    ['?page=01', null],
    ['?page=-1', null],
    ['?page=x', null],
    ['?page=', 1],
    ['?page=99999999', null],
  ])('%s is page %s', (query, page) => {
    expect(readPageNumber(new URL(`https://blog.example.org/${query}`))).toBe(page);
  });

  test('a slug is compared in NFC; what no slug can be is refused', () => {
    expect(readSlug('cafe\u0301')).toBe('café');
    expect(readSlug('a\0b')).toBeNull();
    expect(readSlug('')).toBeNull();
    expect(readSlug('a'.repeat(1_001))).toBeNull();
  });
});

describe('a page’s head', () => {
  const find = (tags: object[], wanted: object) =>
    tags.find((tag) =>
      Object.entries(wanted).every(([key, value]) => (tag as Record<string, unknown>)[key] === value),
    );

  test('has one canonical address and the same in Open Graph', () => {
    const tags = pageMeta(site, { title: 'Tag', description: 'D', path: '/tags/%E6%95%B0?page=2' });
    const url = 'https://blog.example.org/tags/%E6%95%B0?page=2';
    expect(find(tags, { rel: 'canonical', href: url })).toBeDefined();
    expect(find(tags, { property: 'og:url', content: url })).toBeDefined();
    expect(find(tags, { title: 'Tag · Notes' })).toBeDefined();
    expect(find(tags, { property: 'og:locale', content: 'en_US' })).toBeDefined();
  });

  test('a post may name another canonical address', () => {
    const tags = pageMeta(site, {
      title: 'P',
      description: '',
      path: '/posts/p',
      canonicalUrl: 'https://a.example/p',
    });
    expect(find(tags, { rel: 'canonical', href: 'https://a.example/p' })).toBeDefined();
  });

  test('a page that is not to be indexed names no canonical address', () => {
    const tags = pageMeta(site, { title: 'S', description: '', path: '/search', noIndex: true });
    expect(find(tags, { rel: 'canonical' })).toBeUndefined();
    expect(find(tags, { name: 'robots', content: 'noindex' })).toBeDefined();
  });

  test('an image comes with its size and text', () => {
    const image = {
      src: '/uploads/a.webp',
      srcSet: '',
      alt: 'A',
      width: 1600,
      height: 900,
      mimeType: '',
      bytes: 1,
      color: '',
    };
    const tags = pageMeta(site, { title: 'P', description: '', path: '/posts/p', image });
    expect(
      find(tags, { property: 'og:image', content: 'https://blog.example.org/uploads/a.webp' }),
    ).toBeDefined();
    expect(find(tags, { property: 'og:image:width', content: '1600' })).toBeDefined();
    expect(find(tags, { name: 'twitter:card', content: 'summary_large_image' })).toBeDefined();
  });
});

describe('JSON-LD', () => {
  test('the site names its search', () => {
    expect(webSite(site)).toMatchObject({
      '@type': 'WebSite',
      url: 'https://blog.example.org/',
      potentialAction: { target: { urlTemplate: 'https://blog.example.org/search?q={search_term_string}' } },
    });
  });

  test('the way down to a post leads over its category', () => {
    const category = { slug: 'news', name: 'News' };
    const post = { slug: 'p', title: 'P', category, listedIn: '' } as PostArticle;
    expect(breadcrumbs(site, post)).toMatchObject({
      itemListElement: [
        { position: 1, item: 'https://blog.example.org/' },
        { position: 2, name: 'News', item: 'https://blog.example.org/categories/news' },
        { position: 3, name: 'P', item: 'https://blog.example.org/posts/p' },
      ],
    });
  });
});

test('texts follow the language, its script and its region; English for the rest', () => {
  expect(messagesFor('zh-TW').archive).toBe('彙整');
  expect(messagesFor('zh').archive).toBe('归档');
  expect(messagesFor('pl').lists.count(5)).toBe('5 wpisów');
  expect(messagesFor('de-AT,en;q=0.5').archive).toBe('Archiv');
  expect(messagesFor('zha').archive).toBe('Archive');
  expect(messagesFor('sv').lists.count(1)).toBe('1 post');
  expect(messagesFor(undefined).lists.count(2)).toBe('2 posts');
});

test('reading takes at least a minute', () => {
  expect([0, 100, 460, 2_300].map(readingMinutes)).toEqual([1, 1, 2, 10]);
});
