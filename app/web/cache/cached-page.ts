import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { acceptedEncodings, decode, encode, type Encoding } from './encodings.ts';

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
