import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The encodings of pages, the smallest first. */
const bySize = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof bySize)[number];

// Up to this size, compression runs in this thread: it takes about a third of a millisecond, and each thread that
// compresses keeps some memory of its own (measured: 25 MB).
const HERE_BYTES = 64 * 1024;
/** The same for a compressed body, whose plain size is not known. */
const HERE_COMPRESSED_BYTES = 16 * 1024;

// Only full parts of a sitemap are larger. They are stored compressed, and encoded again only for clients that want
// Brotli alone.
const LARGE_BYTES = 1024 * 1024;

// Zlib's default of 6 makes pages 4 % smaller, but compressing one then takes 40 % longer (measured), which is 3 % of its
// first render.
const gzipOptions: zlib.ZlibOptions = { level: 3 };
const brotliOptions = (bytes: number): zlib.BrotliOptions => ({
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: bytes > LARGE_BYTES ? 2 : 5 },
});

const inThreads = {
  gzip: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip),
  br: promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress),
  gunzip: promisify<Buffer, Buffer>(zlib.gunzip),
  unbr: promisify<Buffer, Buffer>(zlib.brotliDecompress),
};

/** Encodes plain bytes: few of them at once, more in another thread. The result keeps no other memory alive. */
function encode(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (encoding === 'identity') return body;
  const brotli = brotliOptions(body.length);
  if (body.length > HERE_BYTES)
    return (encoding === 'br' ? inThreads.br(body, brotli) : inThreads.gzip(body, gzipOptions)).then(trimmed);
  return trimmed(
    encoding === 'br' ? zlib.brotliCompressSync(body, brotli) : zlib.gzipSync(body, gzipOptions),
  );
}

/** Decodes a body: a small one at once, a larger one in another thread. */
function decode(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (encoding === 'identity') return body;
  if (body.length > HERE_COMPRESSED_BYTES)
    return encoding === 'br' ? inThreads.unbr(body) : inThreads.gunzip(body);
  return encoding === 'br' ? zlib.brotliDecompressSync(body) : zlib.gunzipSync(body);
}

// Node's compression returns a view into a larger buffer, all of which would stay in memory.
function trimmed(body: Buffer): Buffer {
  if (body.length === body.buffer.byteLength) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}

/** The accepted encodings by their `Accept-Encoding`: nearly all clients send one of a few. */
const acceptedByHeader = new LRUCache<string, readonly Encoding[]>({ max: 100 });

/** The encodings that an `Accept-Encoding` header allows, the smallest first. Contains at least one. */
function acceptedEncodings(header: string | string[] | undefined): readonly Encoding[] {
  if (typeof header !== 'string') return ['identity'];
  const known = acceptedByHeader.get(header);
  if (known) return known;
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(bySize);
  const encodings = bySize.filter((encoding) => encoding === 'identity' || accepted.includes(encoding));
  acceptedByHeader.set(header, encodings);
  return encodings;
}

// Compressing a smaller body saves nothing.
const COMPRESS_FROM_BYTES = 512;
/** Memory of a page besides its body (measured, including its place in the cache). */
const OVERHEAD_BYTES = 1_000;

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

/** A body in one encoding. */
interface Content {
  body: Buffer;
  encoding: Encoding;
}

/**
 * A whole answer. Keeps its body in one encoding, and sends it so to each client that accepts that. For the others the
 * body is encoded again.
 */
export class CachedPage {
  readonly status: number;
  readonly #headers: SharedHeaders;
  readonly #compressible: boolean;
  readonly #validator: string;
  #kept: Content;

  constructor(status: number, headers: SharedHeaders, content: Content) {
    this.status = status;
    this.#headers = headers;
    this.#kept = content;
    const { body, encoding } = content;
    this.#compressible =
      encoding !== 'identity' ||
      (body.length >= COMPRESS_FROM_BYTES && /text|xml|json|javascript/.test(headers.contentType));
    // Computed from the bytes, so that it changes exactly when they do.
    this.#validator = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  }

  /** Bytes that the page takes while it is cached. */
  get size(): number {
    return this.#kept.body.length + OVERHEAD_BYTES;
  }

  /** The same body under other headers. */
  withHeaders(headers: SharedHeaders): CachedPage {
    return new CachedPage(this.status, headers, this.#kept);
  }

  /** Compresses the page before it is cached. @param accepted the encodings that its first request accepts */
  async compress(accepted: string | string[] | undefined): Promise<void> {
    if (this.#compressible) await this.#bodyIn(this.#encodingsFor(accepted)[0]!);
  }

  /** Answers a GET or HEAD, with 304 if the client already has the bytes. */
  send(request: IncomingMessage, response: ServerResponse, extra: HeaderLines): void {
    const { headers } = request;
    const encodings = this.#encodingsFor(headers['accept-encoding']);
    if (headers['if-none-match'] !== undefined && this.status === 200) {
      const known = encodings.find((encoding) => fresh(headers, { etag: this.#etag(encoding) }));
      if (known) {
        const lines = [...this.#sharedIn(known), 'etag', this.#etag(known), ...extra];
        response.writeHead(304, without('content-type', lines)).end();
        return;
      }
    }
    const encoding = encodings[0]!;
    const write = (body: Buffer) => {
      const etag = this.status === 200 ? ['etag', this.#etag(encoding)] : [];
      const own = [...etag, 'content-length', String(body.length)];
      response.writeHead(this.status, this.#sharedIn(encoding).concat(own, extra));
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const body = this.#bodyIn(encoding);
    if (body instanceof Promise) body.then(write, () => response.destroy());
    else write(body);
  }

  /** The encodings for a client, the best first. Each has its own validator; the client may know any of them. */
  #encodingsFor(accepted: string | string[] | undefined): readonly Encoding[] {
    if (!this.#compressible) return ['identity'];
    const encodings = acceptedEncodings(accepted);
    const { encoding } = this.#kept;
    return encoding !== 'identity' && encodings.includes(encoding) ? [encoding, ...encodings] : encodings;
  }

  #sharedIn(encoding: Encoding): HeaderLines {
    return this.#compressible ? this.#headers.encoded[encoding] : this.#headers.plain;
  }

  #etag(encoding: Encoding): string {
    return `"${this.#validator}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  }

  #bodyIn(encoding: Encoding): Buffer | Promise<Buffer> {
    const { body, encoding: from } = this.#kept;
    if (encoding === from) return body;
    if (from === 'identity') return this.#keep(encode(body, encoding), encoding);
    const plain = decode(body, from);
    if (plain instanceof Promise) return plain.then((bytes) => encode(bytes, encoding));
    return encode(plain, encoding);
  }

  /** Keeps a plain page compressed from then on: nearly all clients accept that. */
  #keep(made: Buffer | Promise<Buffer>, encoding: Encoding): Buffer | Promise<Buffer> {
    if (made instanceof Promise) return made.then((body) => this.#keep(body, encoding));
    this.#kept = { body: made, encoding };
    return made;
  }
}

function without(name: string, lines: string[]): string[] {
  const index = lines.indexOf(name);
  return index === -1 ? lines : lines.toSpliced(index, 2);
}
