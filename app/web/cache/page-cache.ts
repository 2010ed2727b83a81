import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { PageKey, RecordKeys } from '#app/platform/http/page-keys.ts';
import { mayBePage } from '#app/platform/http/public-addresses.ts';
import { pathOf } from '#app/platform/http/paths.ts';
import { prefersJson } from '#app/platform/http/responses.ts';
import { hasOneHost, isHost } from '#app/web/guards/request-guard.ts';
import type { PageSource, ResolvedAddress, WholeAnswer } from '#app/web/pages/page-source.ts';
import { CachedPage, sharedHeaders, type HeaderLines, type SharedHeaders } from './cached-page.ts';
import type { ContentChanges, ContentWatch } from './content-changes.ts';
import { deliveryHeaders } from './delivery.ts';
import { cacheKey, feedPageKey, isFeedPage, isSearch } from './key.ts';
import { KeyedCache } from './keyed-cache.ts';
import { RenderQueue } from './render-queue.ts';

const MEGABYTE = 1024 * 1024;
/** RFC 7234, section 5.5.1. */
const STALE_WARNING = '110 - "Response is Stale"';
/** Search results have a small cache of their own, so that random queries displace no page. */
const SEARCHES_BYTES = 2 * MEGABYTE;

/** A page that each time was out of date before it was finished is sent, but not cached. */
const RENDERS_MAX = 4;

/** Whether an answer came from the cache; shown in the access log and the metrics. */
export type CacheState = 'hit' | 'miss' | 'stale';

/** A request that the cache may answer. */
export interface Visit {
  /** From `keyOf`. */
  key: string;
  request: IncomingMessage;
  response: ServerResponse;
  /** Called right before the answer. Returns further headers. */
  headers: (state: CacheState) => HeaderLines;
}

export interface PageCacheOptions {
  changes: ContentChanges;
  watch: Pick<ContentWatch, 'version'> & Partial<Pick<ContentWatch, 'check'>>;
  source: PageSource;
  /** Security headers of every public page. */
  headers: OutgoingHttpHeaders;
  /** Memory for pages, in MB; 0 caches none. */
  megabytes: number;
}

/** A page that may be rendered. */
interface FoundPage {
  key: string;
  /** What is at its address, if only settings and posts know: read from that moment on, with the keys of what was read. */
  resolved?: { address: ResolvedAddress; moment: number; keys: readonly PageKey[] };
}

/** Whole answers of public routes. Each is cached until any process changes something that it shows. */
export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #pages: KeyedCache<CachedPage | null>;
  readonly #searches: KeyedCache<CachedPage | null>;
  readonly #queue = new RenderQueue();
  /** The last valid host: nearly all requests have the same one, which is checked once. */
  #lastHost = '';
  /** The 404 pages, by the answers that they send. */
  readonly #missing = new WeakMap<WholeAnswer, CachedPage>();
  /** Most pages have the same headers. */
  readonly #sharedHeaders = new LRUCache<string, SharedHeaders>({ max: 100 });

  constructor(options: PageCacheOptions) {
    this.#options = options;
    this.#pages = new KeyedCache({
      changes: options.changes,
      maxSize: Math.max(1, options.megabytes * MEGABYTE),
      sizeOf: ({ value, keys }) => (value?.size ?? 0) + 80 * keys.length,
    });
    this.#searches = new KeyedCache({
      changes: options.changes,
      maxSize: SEARCHES_BYTES,
      sizeOf: ({ value }) => value?.size ?? 1,
    });
  }

  /** Entries and bytes, for the metrics. */
  get usage(): { pages: number; bytes: number } {
    const { entries, size } = this.#pages.usage;
    return { pages: entries, bytes: size };
  }

  /** The key of a request that the cache answers; null for every other. */
  keyOf(request: IncomingMessage): string | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { host = 'localhost', 'x-forwarded-host': forwarded } = request.headers;
    if (forwarded !== undefined && !String(forwarded).split(',').every(isHost)) return null;
    if (!hasOneHost(request) || (host !== this.#lastHost && !isHost(host))) return null;
    this.#lastHost = host;
    const target = request.url ?? '';
    // For a cached page, the parts of the address need not be parsed.
    const key = this.#pages.has(target) && !isFeedPage(target) ? target : cacheKey(target);
    return key && (feedPageKey(key, request) ?? key);
  }

  /**
   * Answers from the cache, or renders. Rejects when the version cannot be read or the render fails.
   * @returns false without an answer if the address is not a public page's
   */
  answer(visit: Visit): boolean | Promise<boolean> {
    const version = this.#options.watch.version();
    return typeof version === 'number' ? this.#answerNow(visit) : version.then(() => this.#answerNow(visit));
  }

  /** Answers with a cached page that may be stale. @returns false if none is cached */
  answerStale(visit: Visit): boolean {
    const headers = () => [...visit.headers('stale'), 'warning', STALE_WARNING];
    return this.#answerCached(visit.key, { ...visit, headers });
  }

  #answerNow(visit: Visit): boolean | Promise<boolean> {
    if (isSearch(visit.key)) return this.#answerSearch(visit);
    return this.#answerCached(visit.key, visit) || this.#answerNew(visit);
  }

  #answerCached(key: string, { request, response, headers }: Visit): boolean {
    const page = this.#pages.get(key);
    if (!page) return false;
    page.send(request, response, headers('hit'));
    return true;
  }

  async #answerNew(visit: Visit, attempt = 1): Promise<boolean> {
    const { key: requestedKey, request, response, headers } = visit;
    const { moment } = this.#options.changes;
    const found = mayBePage(pathOf(requestedKey)) ? await this.#find(requestedKey) : { key: requestedKey };
    if (found === null) return false;
    if (found === 'missing') return this.#answerMissing(visit, moment, attempt);
    const { key } = found;
    if (key !== requestedKey && this.#answerCached(key, visit)) return true;
    const { value } = await this.#pages.obtain(key, (begin) =>
      this.#queue.run(() => this.#render(found, begin, request.headers['accept-encoding'])),
    );
    if (value === null || isForScript(value, request)) return false;
    value.send(request, response, headers('miss'));
    return true;
  }

  /** Answers a search, which depends on all public content and on the index, whose version is in the cached name. */
  #answerSearch({ key, request, response, headers }: Visit): boolean | Promise<boolean> {
    // Read before the search, so that a result is never cached under a newer version of the index.
    const version = this.#options.source.indexVersion();
    if (version === null) return false;
    const name = `${version} ${key}`;
    const cached = this.#searches.get(name);
    if (cached) {
      cached.send(request, response, headers('hit'));
      return true;
    }
    const state = this.#searches.has(name) ? 'hit' : 'miss';
    const made = this.#searches.obtain(name, (begin) =>
      this.#queue.run(() => this.#render({ key }, unrecorded(begin), request.headers['accept-encoding'])),
    );
    return made.then(({ value }) => {
      if (value === null || isForScript(value, request)) return false;
      value.send(request, response, headers(state));
      return true;
    });
  }

  /** Answers for an address at which nothing was at a moment. */
  async #answerMissing(visit: Visit, moment: number, attempt: number): Promise<boolean> {
    const { key, request, response, headers } = visit;
    const answer = prefersJson(request.headers.accept)
      ? null
      : await this.#options.source.missingPage(pathOf(key));
    if (!answer) return false;
    const page = await this.#missingPage(answer, pathOf(key));
    // The address was read before the page: a change in between may have put something there.
    if (attempt < RENDERS_MAX && !this.#options.changes.isFresh(moment, []))
      return this.#answerNew(visit, attempt + 1);
    page.send(request, response, headers('hit'));
    return true;
  }

  /** The 404 page of an address: compressed once for all, with the address's own keys if caches in front want them. */
  async #missingPage(answer: WholeAnswer, path: string): Promise<CachedPage> {
    let page = this.#missing.get(answer);
    if (!page) {
      page = this.#pageOf(answer);
      await page.compress('br');
      this.#missing.set(answer, page);
    }
    const delivery = await this.#options.source.delivery?.();
    const added = delivery ? deliveryHeaders(delivery, answer, { path, keys: [], canPurge: true }) : {};
    if (Object.keys(added).length === 0) return page;
    return page.withHeaders(sharedHeaders(this.#headersOf(answer, added).headers));
  }

  /** The page at an address that only settings and posts know. */
  async #find(requestedKey: string): Promise<FoundPage | 'missing' | null> {
    const path = pathOf(requestedKey);
    const { moment } = this.#options.changes;
    const keys: PageKey[] = [];
    const address = await this.#options.source.find(path, (...recorded) => void keys.push(...recorded));
    if (address === 'missing') return 'missing';
    const caching = address?.kept;
    // The key of an address in another language does not contain the query, so such a search is not cached.
    if (!address || caching === undefined || caching === 'by question') return null;
    return { key: caching === 'once' ? path : requestedKey, resolved: { address, moment, keys } };
  }

  async #render(
    page: FoundPage,
    begin: () => RecordKeys,
    accepted: string | string[] | undefined,
  ): Promise<{ value: CachedPage | null; keep: boolean }> {
    const rendered = await renderWhole(this.#options, page, begin);
    if (!rendered) return { value: null, keep: false };
    const { answer, added } = rendered;
    if (answer.status === 404)
      return { value: await this.#missingPage(answer, pathOf(page.key)), keep: false };
    const isWhole =
      answer.status === 200 &&
      answer.headers['set-cookie'] === undefined &&
      !/no-store|private/.test(answer.headers['cache-control'] ?? '');
    const value = this.#pageOf(answer, added);
    const keep = isWhole && this.#options.megabytes > 0;
    if (keep) await value.compress(accepted);
    return { value, keep };
  }

  #pageOf(answer: WholeAnswer, added: OutgoingHttpHeaders = {}): CachedPage {
    const { encoding, headers } = this.#headersOf(answer, added);
    const content = { body: answer.body, encoding: encoding === 'gzip' ? encoding : 'identity' } as const;
    return new CachedPage(answer.status, this.#shared(headers), content);
  }

  #headersOf(answer: WholeAnswer, added: OutgoingHttpHeaders) {
    const { 'content-encoding': encoding, ...headers }: OutgoingHttpHeaders = {
      ...this.#options.headers,
      ...answer.headers,
      ...added,
    };
    // The default: otherwise browsers keep a redirect for ever, and shared caches a 404 for minutes, but both may end
    // at any time.
    headers['cache-control'] ??= 'public, no-cache';
    return { encoding, headers };
  }

  #shared(headers: OutgoingHttpHeaders): SharedHeaders {
    const headersKey = JSON.stringify(headers);
    const shared = this.#sharedHeaders.get(headersKey) ?? sharedHeaders(headers);
    this.#sharedHeaders.set(headersKey, shared);
    return shared;
  }
}

/** A failure that the rest of the server tells a script in JSON. */
function isForScript({ status }: CachedPage, { headers }: IncomingMessage): boolean {
  return status >= 500 && prefersJson(headers.accept);
}

/** Begins a render whose keys are not recorded. */
const unrecorded = (begin: () => RecordKeys) => (): RecordKeys => {
  begin();
  return () => undefined;
};

/**
 * Renders a page whose parts are all from the same side of every change. A page is read in several statements, and
 * shared reads are as old as the last check. If a check afterwards finds a change of this data, the page is rendered
 * again.
 * @param begin called right before each reading; returns the function that records the keys
 * @returns the answer, and its headers for caches in front
 */
async function renderWhole(
  { changes, watch, source }: Pick<PageCacheOptions, 'changes' | 'watch' | 'source'>,
  { key, resolved }: FoundPage,
  begin: () => RecordKeys,
): Promise<{ answer: WholeAnswer; added: OutgoingHttpHeaders } | null> {
  for (let attempt = 1; ; attempt += 1) {
    const record = begin();
    // The rest of the server resolves an address again that has just changed.
    if (resolved && !changes.isFresh(resolved.moment, resolved.keys)) return null;
    const { moment } = changes;
    const keys: PageKey[] = [];
    const recordKeys: RecordKeys = (...recorded) => {
      keys.push(...recorded);
      record(...recorded);
    };
    recordKeys(...(resolved?.keys ?? []));
    const answer = await source.render(key, recordKeys, resolved?.address);
    const delivery = await source.delivery?.(recordKeys);
    try {
      await watch.check?.();
    } catch {
      // The next request reports the outage; this page was read before it.
    }
    if (attempt < RENDERS_MAX && !changes.isFresh(moment, keys)) continue;
    if (!answer) return null;
    const seen = { path: pathOf(key), keys, canPurge: !isSearch(key) };
    return { answer, added: delivery ? deliveryHeaders(delivery, answer, seen) : {} };
  }
}
