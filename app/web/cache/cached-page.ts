import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { gunzippedBytes } from '#app/platform/http/gzip-pieces.server.ts';
import { decode, encode, negotiate, type Encoding } from './encodings.ts';

// Compressing a smaller body saves nothing.
const COMPRESS_FROM_BYTES = 512;
/** Memory of a page besides its body (measured, including its place in the cache). */
const OVERHEAD_BYTES = 1_000;

/** Keeps further encodings of pages that are requested often. */
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

  /** Records a request for a page in one of its further encodings. */
  use(page: CachedPage): void {
    this.#pages?.get(page);
  }

  /** Sets the size of a page's further encodings. Other pages may lose theirs. */
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
  /** For an answer that is never compressed. */
  plain: HeaderLines;
  /** For an answer in the encoding that the client accepts. */
  encoded: Readonly<Record<Encoding, HeaderLines>>;
}

/** @param headers the headers of every answer with the page, without `Content-Encoding` */
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

/** A whole answer. Keeps its body in one encoding; others are made on request. */
export class CachedPage {
  readonly status: number;
  /** Number of requests. */
  hits = 0;
  readonly #headers: SharedHeaders;
  readonly #compressible: boolean;
  /** It was rendered compressed, so every client that accepts gzip gets it in gzip. */
  readonly #prefersGzip: boolean;
  readonly #validator: string;
  readonly #bytes: number;
  readonly #readyEncodings: ReadyEncodings;
  #kept: { encoding: Encoding; body: Buffer };
  /** The plain body for the first answer, if that answer is not compressed. */
  #first: Buffer | undefined;
  #ready: Partial<Record<Encoding, Buffer | Promise<Buffer>>> = {};
  /** Headers that no other page has. */
  #own: Partial<Record<Encoding, HeaderLines>> = {};

  /** @param encoding of the body */
  constructor(
    status: number,
    headers: SharedHeaders,
    { body, encoding }: { body: Buffer; encoding: 'identity' | 'gzip' },
    readyEncodings: ReadyEncodings,
  ) {
    this.status = status;
    this.#headers = headers;
    this.#readyEncodings = readyEncodings;
    this.#prefersGzip = encoding === 'gzip';
    this.#bytes = this.#prefersGzip ? gunzippedBytes(body) : body.length;
    this.#kept = { encoding, body };
    this.#compressible =
      this.#bytes >= COMPRESS_FROM_BYTES && /text|xml|json|javascript/.test(headers.contentType);
    // Computed from the bytes, so that it changes exactly when they do.
    this.#validator = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  }

  /** Bytes that the page takes while it is cached. */
  get size(): number {
    return this.#kept.body.length + OVERHEAD_BYTES;
  }

  /** Compresses the page before it is cached. @param accepted the encodings that its first request accepts */
  async compress(accepted: string | string[] | undefined): Promise<void> {
    if (!this.#compressible || this.#prefersGzip) return;
    const wanted = negotiate(accepted);
    const encoding = wanted === 'br' ? 'br' : 'gzip';
    if (wanted === 'identity') this.#first = this.#kept.body;
    // Without the plain body: most pages are requested in this encoding only, and plain bodies would take the memory
    // for further encodings.
    this.#kept = { encoding, body: await encode(this.#kept.body, encoding) };
  }

  /** Answers a GET or HEAD, with 304 if the client already has the bytes. */
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

  /** Called when other pages need the memory. */
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
      this.#readyEncodings.use(this);
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
    this.#readyEncodings.hold(
      this,
      bodies.reduce((sum, { length }) => sum + length, 0),
    );
  }
}

function without(name: string, lines: string[]): string[] {
  const index = lines.indexOf(name);
  return index === -1 ? lines : lines.toSpliced(index, 2);
}

function matches(header: string, etag: string): boolean {
  return (
    header.trim() === '*' ||
    header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  );
}
