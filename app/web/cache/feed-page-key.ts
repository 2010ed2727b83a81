import type { IncomingMessage } from 'node:http';
import { FEED_PAGE_ROUTE, publicAddressOf } from '#app/platform/http/public-addresses.ts';

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
