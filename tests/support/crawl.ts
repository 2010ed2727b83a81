import type { Client } from './http-client.ts';

/** What a reader gets at an address, but for what differs from request to request. */
export interface CrawledAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Path with query → answer, by path. */
export type CrawledSite = Map<string, CrawledAnswer>;

const PAGES_MAX = 2_000;
const AT_ONCE = 8;

/**
 * Reads the given addresses of a site and all that their answers name, until no new address appears.
 * @param origin the beginning of the site's absolute addresses
 */
export async function crawl(
  client: Client,
  origin: string,
  entrances: string[],
  { follow = true }: { follow?: boolean } = {},
): Promise<CrawledSite> {
  const site: CrawledSite = new Map();
  const waiting = new Set(entrances);
  const read = async (path: string) => {
    const { status, headers, text } = await client.get(path);
    const { date: _date, 'x-request-id': _request, ...stableHeaders } = headers;
    stableHeaders['content-security-policy'] &&= withoutNonce(
      stableHeaders['content-security-policy'] as string,
    );
    site.set(path, { status, headers: stableHeaders, text: withoutTime(withoutNonce(text)) });
    if (!follow) return;
    for (const address of addressesIn(`${text} href="${headers.location ?? ''}"`, origin))
      if (!site.has(address)) waiting.add(address);
  };
  while (waiting.size > 0) {
    if (site.size > PAGES_MAX) throw new Error(`More than ${PAGES_MAX} pages`);
    const batch = [...waiting].slice(0, AT_ONCE);
    for (const path of batch) waiting.delete(path);
    await Promise.all(batch.map(read));
  }
  return new Map([...site].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutNonce(text: string): string {
  return text.replaceAll(/(nonce(?:-|=")|"nonce":")[\w+/=]+/g, '$1…');
}

/** Screens of the backend say when they were rendered (`adminContext.now`). */
function withoutTime(text: string): string {
  return text.replaceAll(/(\\"now\\",\[\\"D\\",)\d+/g, '$1…');
}

// The build's own files contain no addresses of posts.
function addressesIn(text: string, origin: string): string[] {
  const named = [
    ...text.matchAll(/(?:href|src|action)="([^"]+)"/g),
    ...text.matchAll(/<(?:loc|link|guid|id|image:loc)[^>]*>([^<]+)</g),
    ...text.matchAll(/"(?:url|id|external_url|home_page_url|feed_url|image)":\s*"([^"]+)"/g),
  ].map(([, address]) => address!.replaceAll('&amp;', '&'));
  return named.flatMap((address) => {
    const path = address.startsWith(origin) ? address.slice(origin.length) || '/' : address;
    return /^\/(?!\/|assets\/)/.test(path) ? [path.replace(/#.*$/, '')] : [];
  });
}
