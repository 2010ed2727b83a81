import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { CachedPage } from './cached-page.ts';
import { isHost } from '../spelling.ts';
import { cacheKey } from './cache-key.ts';
import type { ContentWatch } from './content-watch.server.ts';

/** Bytes of pages that are kept at most. */
const CAPACITY_BYTES = 48 * 1024 * 1024;

/** Whether an answer came from the cache; stands in the access log and the metrics. */
export type CacheState = 'hit' | 'miss';

/** Renders the public page at a key. It gets no header of the client: public answers depend on none. */
export type RenderPage = (key: string, contentVersion: number | undefined) => Promise<Response>;

/**
 * Whole answers of public routes, all of one content version. A change, made by whatever process, empties it;
 * a render that a change overtook is not kept; of many requests for a missing page one renders.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: CAPACITY_BYTES,
    sizeCalculation: (page) => page.size,
  });
  #rendering = new Map<string, Promise<CachedPage>>();
  #version = -1;
  readonly #watch: ContentWatch;
  readonly #render: RenderPage;
  readonly #headers: OutgoingHttpHeaders;

  /** @param headers security headers that every public page carries */
  constructor(options: { watch: ContentWatch; render: RenderPage; headers: OutgoingHttpHeaders }) {
    this.#watch = options.watch;
    this.#render = options.render;
    this.#headers = options.headers;
  }

  /** Entries and bytes, for the metrics. */
  get usage(): { pages: number; bytes: number } {
    return { pages: this.#pages.size, bytes: this.#pages.calculatedSize };
  }

  /** The key of a request that the cache answers; null for every other. */
  keyOf(request: IncomingMessage): string | null {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const { host = 'localhost', 'x-forwarded-host': forwarded } = request.headers;
    if (!isHost(host) || (forwarded !== undefined && !String(forwarded).split(',').every(isHost)))
      return null;
    return cacheKey(request.url ?? '');
  }

  /** Answers from the cache, or renders. Rejects when the version cannot be read or the render fails. */
  answer(
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    extra: (state: CacheState) => OutgoingHttpHeaders,
  ): void | Promise<void> {
    // Without a socket it waits behind another request of its connection, and may have come in after others' look.
    const version = response.socket === null ? this.#watch.currentVersion() : this.#watch.version();
    if (typeof version === 'number') return this.#answerAt(version, key, request, response, extra);
    return version.then((read) => this.#answerAt(read, key, request, response, extra));
  }

  #answerAt(
    version: number,
    key: string,
    request: IncomingMessage,
    response: ServerResponse,
    extra: (state: CacheState) => OutgoingHttpHeaders,
  ): void | Promise<void> {
    if (version !== this.#version) {
      this.#pages.clear();
      // Whoever waits for a render of the old version began before the change; newcomers render anew.
      this.#rendering = new Map();
      this.#version = version;
    }
    const page = this.#pages.get(key);
    if (page) return page.send(request, response, extra('hit'));
    let rendering = this.#rendering.get(key);
    if (!rendering) {
      const renders = this.#rendering;
      rendering = this.#fill(key, version).finally(() => renders.delete(key));
      renders.set(key, rendering);
    }
    return rendering.then((rendered) => rendered.send(request, response, extra('miss')));
  }

  async #fill(key: string, version: number): Promise<CachedPage> {
    const response = await this.#render(key, version);
    const body = Buffer.from(await response.arrayBuffer());
    const headers: OutgoingHttpHeaders = { ...this.#headers, ...Object.fromEntries(response.headers) };
    const keep = response.status === 200 && !response.headers.has('Set-Cookie');
    if (keep && !/no-store|private/.test(response.headers.get('Cache-Control') ?? ''))
      headers['cache-control'] ??= 'public, no-cache';
    const page = new CachedPage(response.status, headers, body);
    if (keep && (await this.#watch.currentVersion()) === version && this.#version === version)
      this.#pages.set(key, page);
    return page;
  }
}
