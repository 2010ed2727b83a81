import type { IncomingMessage } from 'node:http';
import { FEED_PAGE_ROUTE, mayBePage, publicAddressOf } from '#app/platform/http/public-addresses.ts';
import { oldSiteQueries } from '#app/posts/addresses/old-site-queries.ts';

const URL_MAX = 2_048;

/**
 * The cache key of a request target, itself a request target. Null when the answer is never cached, and for another
 * spelling of an address. Contains only `page` or a search's question from the query, so nobody can flood the cache
 * with other queries. For a key that `mayBePage`, only settings and posts know whether it exists.
 */
export function cacheKey(target: string): string | null {
  // Remix would answer a path with `.data` with a page's data alone.
  if (target.length > URL_MAX || /\.data(\?|$)/.test(target)) return null;
  const cut = target.indexOf('?');
  const path = oneSpelling(cut === -1 ? target : target.slice(0, cut));
  if (path === null) return null;
  const caching = mayBePage(path) ? 'by page' : publicAddressOf(path)?.kept;
  if (caching === undefined) return null;
  if (cut === -1 || caching === 'once') return path;
  const query = new URLSearchParams(target.slice(cut + 1));
  if (caching === 'by question') return path + questionOf(query);
  // The query of an earlier site on WordPress.
  if (path === '/' && oldSiteQueries.some((name) => query.has(name))) return null;
  const page = query.get('page');
  if (page === null || page === '1') return path;
  return /^[1-9]\d{0,6}$/.test(page) ? `${path}?page=${page}` : null;
}

/** The part of the query that a search page reads, in a fixed order. */
function questionOf(query: URLSearchParams): string {
  const parameters = ['q', 'category', 'tag', 'page'].map((name) => [name, query.get(name) ?? '']);
  const question = new URLSearchParams(parameters.filter(([, value]) => value !== '')).toString();
  return question && `?${question}`;
}

/** True for the key of a search. A search page without a question is cached like any other page. */
export function isSearch(key: string): boolean {
  return key.startsWith('/search?');
}

function oneSpelling(path: string): string | null {
  // With a dot segment, it would be the key of one page and the address of another.
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(path)) return null;
  if (!path.includes('%')) return /^\/[\w\-./~]*$/.test(path) ? path : null;
  try {
    const spelling = path
      .split('/')
      .map((segment) => {
        const decoded = decodeURIComponent(segment);
        if (/[/\0]/.test(decoded)) throw new URIError('not a segment');
        return encodeURIComponent(decoded);
      })
      .join('/');
    // Another spelling is another address, which redirects to this one.
    return spelling === path ? path : null;
  } catch {
    return null;
  }
}

/**
 * The key of the page for people at a feed's address, if a browser opens it; otherwise null. Only a browser that loads
 * a document sends this header, no feed reader and no script (Fetch Metadata, section 2.1; decision 028).
 * @param key the key of the feed
 */
export function feedPageKey(key: string, { headers }: IncomingMessage): string | null {
  return headers['sec-fetch-dest'] === 'document' && isFeed(key) ? FEED_PAGE_ROUTE + key : null;
}

/** True for the key of a page for people at a feed's address. */
export function isFeedPage(key: string): boolean {
  return key.startsWith(`${FEED_PAGE_ROUTE}/`);
}

/** The key of the feed of such a page; null for every other key. */
export function feedOfPage(key: string): string | null {
  return isFeedPage(key) ? key.slice(FEED_PAGE_ROUTE.length) : null;
}

function isFeed(path: string): boolean {
  // A feed in another language is below its language tag.
  const address = publicAddressOf(path) ?? publicAddressOf(path.replace(/^\/[^/]+/, ''));
  return address?.isFeed === true;
}
