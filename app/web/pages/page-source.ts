import type { RecordKeys } from '#app/platform/http/page-keys.ts';
import type { PublicAddress } from '#app/platform/http/public-addresses.ts';
import type { Place } from '#app/posts/addresses/find-address.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** What is at an address that `mayBePage`. */
export interface ResolvedAddress {
  /** How the page cache stores the answers. */
  kept: PublicAddress['kept'];
  /** Path of the route that renders it. */
  route: string;
  place: Place;
}

/** The settings for caches in front. */
export type Delivery = Pick<Settings, 'cache_keys' | 'purge_form' | 'purge_url'>;

/** The source of pages. Gets no header of the client, since public answers depend on none. */
export interface PageSource {
  /** The public address at a path that `mayBePage`; null for the backend and a redirect. */
  find(path: string, recordKeys: RecordKeys): Promise<ResolvedAddress | 'missing' | null>;
  /** The 404 page of a path, the same object until it changes; null if it is rendered for each request. */
  missingPage(path: string): Promise<WholeAnswer | null>;
  /**
   * Renders the public page at a key; null if there is none.
   * @param resolved of a path that `mayBePage`
   */
  render(key: string, recordKeys: RecordKeys, resolved?: ResolvedAddress): Promise<WholeAnswer | null>;
  /** What caches in front are told. Absent: nothing. */
  delivery?(recordKeys?: RecordKeys): Promise<Delivery>;
  /** A text that changes with every change of the search index; null if that requires a request to the engine. */
  indexVersion(): string | null;
}

/** An answer with its complete body. */
export interface WholeAnswer {
  status: number;
  /** The names are in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Reads the whole body of a response. */
export async function wholeAnswer(response: Response): Promise<WholeAnswer> {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: Buffer.from(await response.arrayBuffer()) };
}
