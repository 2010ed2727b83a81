import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { gunzippedBytes } from '#app/platform/gzip-pieces.server.ts';
import { decode, encode, negotiate, type Encoding } from './encodings.ts';

// Smaller bodies gain nothing.
const COMPRESS_FROM_BYTES = 512;
/** What a page takes beside its bytes (measured, with its place in the cache). */
const OVERHEAD_BYTES = 1_000;

/** Holds further encodings of pages that are requested often. */
export class ReadyEncodings {
  readonly #pages: LRUCache<CachedPage, true> | undefined;

  /** @param maxBytes 0 keeps none */
  constructor(maxBytes: number) {
    if (maxBytes > 0)
      this.#pages = new LRUCache({ maxSize: maxBytes, dispose: (_, page) => page.dropReady() });
  }

  get bytes(): number {
    return this.#pages?.calculatedSize ?? 0;
  }

  /** Records a request of a page in an encoding that is ready. */
  use(page: CachedPage): void {
    this.#pages?.get(page);
  }

  /** Sets how many bytes are ready for a page; other pages may lose theirs. */
  hold(page: CachedPage, bytes: number): void {
    this.#pages?.set(page, true, { size: Math.max(1, bytes) });
    if (!this.#pages?.has(page)) page.dropReady();
  }

  release(page: CachedPage): void {
    this.#pages?.delete(page);
  }
}

/** Headers: names and values in turn, which Node writes fastest. */
export type HeaderLines = readonly string[];

/** Headers that many pages have in common. */
export interface SharedHeaders {
  contentType: string;
  /** Of an answer that is never compressed. */
  plain: HeaderLines;
  /** Of an answer that clients get in the encoding that they accept. */
  encoded: Readonly<Record<Encoding, HeaderLines>>;
}

/** @param headers all that a page is answered with, whatever the request; no `Content-Encoding` */
export function sharedHeaders(headers: OutgoingHttpHeaders): SharedHeaders {
  const plain = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const identity = [...plain, 'vary', 'Accept-Encoding'];
  const encodedIn = (encoding: Encoding) => [...identity, 'content-encoding', encoding];
  return {
    contentType: String(headers['content-type']),
    plain,
    encoded: { identity, gzip: encodedIn('gzip'), br: encodedIn('br') },
  };
}

/** A whole answer. A cached page holds its body in one encoding; others are made when they are requested. */
export class CachedPage {
  readonly status: number;
  /** How often it was asked for. */
  hits = 0;
  readonly #headers: SharedHeaders;
  readonly #compressible: boolean;
  /** It was rendered compressed: every client that accepts gzip gets it like that. */
  readonly #prefersGzip: boolean;
  readonly #validator: string;
  readonly #bytes: number;
  readonly #shelf: ReadyEncodings;
  #kept: { encoding: Encoding; body: Buffer };
  /** The plain body for the first answer, where that one is not compressed. */
  #first: Buffer | undefined;
  #ready: Partial<Record<Encoding, Buffer | Promise<Buffer>>> = {};
  /** Headers that no other page has. */
  #own: Partial<Record<Encoding, HeaderLines>> = {};

  /** @param encoding of the body */
  constructor(
    status: number,
    headers: SharedHeaders,
    { body, encoding }: { body: Buffer; encoding: 'identity' | 'gzip' },
    shelf: ReadyEncodings,
  ) {
    this.status = status;
    this.#headers = headers;
    this.#shelf = shelf;
    this.#prefersGzip = encoding === 'gzip';
    this.#bytes = this.#prefersGzip ? gunzippedBytes(body) : body.length;
    this.#kept = { encoding, body };
    this.#compressible =
      this.#bytes >= COMPRESS_FROM_BYTES && /text|xml|json|javascript/.test(headers.contentType);
    // From the bytes, so that it changes when they do and only then.
    this.#validator = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  }

  /** Bytes held as long as the page is cached. */
  get size(): number {
    return this.#kept.body.length + OVERHEAD_BYTES;
  }

  /** Compresses the page before it is cached. @param accepted the encodings that its first request accepts */
  async compress(accepted: string | string[] | undefined): Promise<void> {
    if (!this.#compressible || this.#prefersGzip) return;
    const wanted = negotiate(accepted);
    const encoding = wanted === 'br' ? 'br' : 'gzip';
    if (wanted === 'identity') this.#first = this.#kept.body;
    // Not the plain body too: most pages are only asked for in the one encoding, and these would fill the place of
    // further ones.
    this.#kept = { encoding, body: await encode(this.#kept.body, encoding) };
  }

  /** Answers a GET or HEAD, with 304 where the client has the bytes already. */
  send(request: IncomingMessage, response: ServerResponse, extra: HeaderLines): void {
    const encoding = this.#compressible
      ? negotiate(request.headers['accept-encoding'], { prefersGzip: this.#prefersGzip })
      : 'identity';
    const { plain, encoded } = this.#headers;
    const shared = this.#compressible ? encoded[encoding] : plain;
    const known = request.headers['if-none-match'];
    if (known !== undefined && this.status === 200 && matches(known, this.#etag(encoding))) {
      const lines = [...shared, 'etag', this.#etag(encoding), ...extra];
      response.writeHead(304, without('content-type', lines)).end();
      return;
    }
    const write = (body: Buffer) => {
      const own = (this.#own[encoding] ??= this.#ownHeaders(encoding, body));
      response.writeHead(this.status, shared.concat(own, extra));
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const body = this.#bodyIn(encoding);
    if (body instanceof Promise) body.then(write, () => response.destroy());
    else write(body);
  }

  /** Called when other pages need the place. */
  dropReady(): void {
    this.#ready = {};
  }

  #etag(encoding: Encoding): string {
    return `"${this.#validator}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  }

  #ownHeaders(encoding: Encoding, { length }: Buffer): HeaderLines {
    const etag = this.status === 200 ? ['etag', this.#etag(encoding)] : [];
    return [...etag, 'content-length', String(length)];
  }

  #bodyIn(encoding: Encoding): Buffer | Promise<Buffer> {
    const first = this.#first;
    this.#first = undefined;
    if (first && encoding === 'identity') return first;
    if (encoding === this.#kept.encoding) return this.#kept.body;
    const ready = this.#ready[encoding];
    if (ready) {
      this.#shelf.use(this);
      return ready;
    }
    const made = this.#make(encoding);
    this.#ready[encoding] = made;
    if (made instanceof Promise)
      void made.then(
        (body) => {
          this.#ready[encoding] = body;
          this.#holdReady();
        },
        () => delete this.#ready[encoding],
      );
    else this.#holdReady();
    return made;
  }

  #make(encoding: Encoding): Buffer | Promise<Buffer> {
    const { body, encoding: from } = this.#kept;
    const plain = this.#ready.identity ?? decode(body, from, this.#bytes);
    return plain instanceof Promise
      ? plain.then((bytes) => encode(bytes, encoding))
      : encode(plain, encoding);
  }

  #holdReady(): void {
    const bodies = Object.values(this.#ready).filter((body) => Buffer.isBuffer(body));
    this.#shelf.hold(
      this,
      bodies.reduce((sum, { length }) => sum + length, 0),
    );
  }
}

function without(name: string, lines: string[]): string[] {
  const place = lines.indexOf(name);
  return place === -1 ? lines : lines.toSpliced(place, 2);
}

function matches(header: string, etag: string): boolean {
  return (
    header.trim() === '*' ||
    header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  );
}
