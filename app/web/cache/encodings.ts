import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The encodings of pages, the smallest first. */
const bySize = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof bySize)[number];

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
export function encode(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  if (encoding === 'identity') return body;
  const brotli = brotliOptions(body.length);
  if (body.length > HERE_BYTES)
    return (encoding === 'br' ? inThreads.br(body, brotli) : inThreads.gzip(body, gzipOptions)).then(trimmed);
  return trimmed(
    encoding === 'br' ? zlib.brotliCompressSync(body, brotli) : zlib.gzipSync(body, gzipOptions),
  );
}

/** Decodes a body: a small one at once, a larger one in another thread. */
export function decode(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
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
export function acceptedEncodings(header: string | string[] | undefined): readonly Encoding[] {
  if (typeof header !== 'string') return ['identity'];
  const known = acceptedByHeader.get(header);
  if (known) return known;
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(bySize);
  const encodings = bySize.filter((encoding) => encoding === 'identity' || accepted.includes(encoding));
  acceptedByHeader.set(header, encodings);
  return encodings;
}
