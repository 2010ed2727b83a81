import type { Readable } from 'node:stream';
import { headersOfFile } from '#app/media/encode/formats.ts';
import type { ByteRange, MediaStore } from '#app/media/store/media-store.ts';
import { isMediaPath } from './path.ts';

/** A request for a stored file; header names in lower case. */
export interface MediaRequest {
  method: string;
  /** Below `/uploads/`, decoded. */
  path: string;
  headers: { range?: string; 'if-none-match'?: string; 'if-range'?: string };
}

export interface MediaAnswer {
  status: 200 | 206 | 302 | 304 | 416;
  headers: Record<string, string>;
  /** Must be read to its end or destroyed; null for an answer without a body. */
  body: Readable | null;
}

/**
 * Answers a request for a stored file, streamed, with ranges and validators.
 * @returns null if there is no such file
 * @throws AppError `unavailable` when the store cannot answer
 */
export async function answerMedia(store: MediaStore, request: MediaRequest): Promise<MediaAnswer | null> {
  const { path, headers: asked } = request;
  if (!isMediaPath(path)) return null;
  if (request.method === 'GET') {
    const elsewhere = await redirectTo(store, path);
    if (elsewhere !== undefined) return elsewhere;
  }
  // A stored file never changes, so its name is its validator.
  const etag = `"${encodeURIComponent(path)}"`;
  const common = {
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=31536000, immutable',
    etag,
  };
  const isFresh = listed(asked['if-none-match']).some((tag) => tag === '*' || tag === etag);
  const wantsRange = asked.range !== undefined && (asked['if-range'] ?? etag) === etag;
  if (request.method === 'GET' && !isFresh && !wantsRange) {
    const read = await store.get(path);
    if (!read) return null;
    return { status: 200, headers: { ...common, 'content-length': String(read.bytes) }, body: read.body };
  }
  const facts = await store.head(path);
  if (!facts) return null;
  if (isFresh) return { status: 304, headers: common, body: null };
  const range = wantsRange ? rangeOf(asked.range!, facts.bytes) : undefined;
  if (range === null) {
    const outside = { 'content-range': `bytes */${facts.bytes}`, 'cache-control': 'no-store' };
    return { status: 416, headers: { 'accept-ranges': 'bytes', ...outside }, body: null };
  }
  const { start, end } = range ?? { start: 0, end: facts.bytes - 1 };
  const headers: Record<string, string> = { ...common, 'content-length': String(end - start + 1) };
  if (range) headers['content-range'] = `bytes ${start}-${end}/${facts.bytes}`;
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers, body: null };
  const read = await store.get(path, range);
  return read && { status, headers, body: read.body };
}

/** Redirects a reader to the store; null for a missing file, undefined if readers get files through the app. */
async function redirectTo(store: MediaStore, path: string): Promise<MediaAnswer | null | undefined> {
  const location = await store.signedAddress(path, headersOfFile(path) ?? {});
  if (location === null) return undefined;
  if ((await store.head(path)) === null) return null;
  return { status: 302, headers: { location, 'cache-control': 'public, max-age=600' }, body: null };
}

/**
 * The only range of a header, within the file. Undefined: the whole file is the answer; null: the range is outside it.
 */
function rangeOf(header: string, bytes: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? null : { start: bytes - count, end: bytes - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= bytes) return null;
  return { start: Number(first), end: Math.min(last === '' ? bytes - 1 : Number(last), bytes - 1) };
}

function listed(header: string | undefined): string[] {
  return header === undefined ? [] : header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
