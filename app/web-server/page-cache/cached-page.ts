import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

type Encoding = 'identity' | 'gzip' | 'br';

interface Variant {
  body: Buffer;
  etag: string;
  headers: OutgoingHttpHeaders;
}

// Smaller bodies gain nothing.
const COMPRESS_FROM_BYTES = 512;
// Up to here about a millisecond, and each thread that compresses keeps some memory of its own (measured: 25 MB).
const COMPRESS_HERE_BYTES = 64 * 1024;
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const gzipOptions: ZlibOptions = { level: 7 };

/** A whole answer, with each encoding made once, when it is first asked for. */
export class CachedPage {
  readonly status: number;
  readonly #headers: OutgoingHttpHeaders;
  readonly #compressible: boolean;
  readonly #variants: Partial<Record<Encoding, Variant | Promise<Variant>>> = {};
  /** Bytes held, for the cache's bound: two compressed variants are seldom more than half again. */
  readonly size: number;

  constructor(status: number, headers: OutgoingHttpHeaders, body: Buffer) {
    this.status = status;
    this.#headers = headers;
    this.#compressible =
      body.length >= COMPRESS_FROM_BYTES && /text|xml|json|javascript/.test(String(headers['content-type']));
    this.#variants.identity = this.#variant('identity', body);
    this.size = Math.ceil(body.length * 1.6) + 1_000;
  }

  /** Answers a GET or HEAD, with 304 where the client has the bytes already. */
  send(request: IncomingMessage, response: ServerResponse, extra: OutgoingHttpHeaders): void {
    const variant = this.#variants[this.#negotiate(request)] ?? this.#make(this.#negotiate(request));
    if (variant instanceof Promise) void variant.then((made) => this.#write(request, response, made, extra));
    else this.#write(request, response, variant, extra);
  }

  #write(
    request: IncomingMessage,
    response: ServerResponse,
    variant: Variant,
    extra: OutgoingHttpHeaders,
  ): void {
    if (this.status === 200 && matches(request.headers['if-none-match'], variant.etag)) {
      const { 'content-length': _length, 'content-type': _type, ...kept } = variant.headers;
      response.writeHead(304, { ...kept, ...extra }).end();
      return;
    }
    response.writeHead(this.status, { ...variant.headers, ...extra });
    response.end(request.method === 'HEAD' ? undefined : variant.body);
  }

  #negotiate(request: IncomingMessage): Encoding {
    const accepted = request.headers['accept-encoding'];
    if (!this.#compressible || typeof accepted !== 'string') return 'identity';
    if (accepts(accepted, 'br')) return 'br';
    return accepts(accepted, 'gzip') ? 'gzip' : 'identity';
  }

  #make(encoding: Encoding): Variant | Promise<Variant> {
    const { body } = this.#variants.identity as Variant;
    if (body.length <= COMPRESS_HERE_BYTES) {
      const bytes = encoding === 'br' ? brotliCompressSync(body, brotliOptions) : gzipSync(body, gzipOptions);
      return (this.#variants[encoding] = this.#variant(encoding, bytes));
    }
    const compressed =
      encoding === 'br' ? compressBrotli(body, brotliOptions) : compressGzip(body, gzipOptions);
    const made = compressed.then((bytes) => (this.#variants[encoding] = this.#variant(encoding, bytes)));
    this.#variants[encoding] = made;
    return made;
  }

  // The validator comes from the bytes, so it changes when they do and only then; encodings differ in it.
  #variant(encoding: Encoding, body: Buffer): Variant {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    const headers: OutgoingHttpHeaders = { ...this.#headers, 'content-length': body.length };
    if (this.status === 200) headers.etag = etag;
    if (this.#compressible) headers.vary = 'Accept-Encoding';
    if (encoding !== 'identity') headers['content-encoding'] = encoding;
    return { body, etag, headers };
  }
}

function accepts(header: string, encoding: string): boolean {
  if (!header.includes(encoding)) return false;
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.trim().toLowerCase().split(';');
    return name?.trim() === encoding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  });
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return (
    header.trim() === '*' ||
    header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  );
}
