import type { IncomingMessage } from 'node:http';
import { FEED_PAGE_ROUTE, publicAddressOf } from '#app/platform/public-addresses.ts';

/**
 * The key of the page for people at a feed's address, where a browser opens it; otherwise null. Only browsers that
 * load a document send this header: not feed readers, and no script (Fetch Metadata, section 2.1; decision 028).
 * @param key the feed's own
 */
export function feedPageKey(key: string, { headers }: IncomingMessage): string | null {
  return headers['sec-fetch-dest'] === 'document' && isFeed(key) ? FEED_PAGE_ROUTE + key : null;
}

/** True for the key of a page for people at a feed's address. */
export function isFeedPage(key: string): boolean {
  return key.startsWith(`${FEED_PAGE_ROUTE}/`);
}

/** The feed's own key, from that of its page; null for every other key. */
export function feedOfPage(key: string): string | null {
  return isFeedPage(key) ? key.slice(FEED_PAGE_ROUTE.length) : null;
}

function isFeed(path: string): boolean {
  // A feed of another language is below its language tag.
  const address = publicAddressOf(path) ?? publicAddressOf(path.replace(/^\/[^/]+/, ''));
  return address?.isFeed === true;
}
