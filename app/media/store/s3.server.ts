import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { isAppError } from '#app/platform/errors.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';
import { addressOf, type S3Target } from '#app/platform/media-target.server.ts';
import { checking } from './content.server.ts';
import {
  isHidden,
  type ByteRange,
  type MediaContent,
  type MediaStore,
  type SignedHeaders,
  type StoredEntry,
  type StoredFacts,
  type StoredRead,
} from './media-store.ts';
import {
  encodeKey,
  S3Client,
  type S3Limits,
  type S3Request,
  notS3,
  S3Refusal,
  unreachable,
} from './s3-client.server.ts';

/** How often one read may continue without a new byte after it broke off. */
const RESUMPTIONS = 3;
const SHA256_HEADER = 'x-amz-meta-sha256';
const IGNORES_RANGES = 'it does not answer a range of a file with that range';

/** Media files in a bucket of an S3 service, below a prefix. */
export class S3Store implements MediaStore {
  readonly address: string;
  readonly folder = null;
  private readonly client: S3Client;

  constructor(target: S3Target, limits?: S3Limits) {
    this.client = new S3Client(target, limits);
    this.address = addressOf(target);
  }

  async put(path: string, content: MediaContent): Promise<void> {
    const checked = { ...content, open: () => pipeChecked(path, content) };
    const headers = { [SHA256_HEADER]: content.sha256, 'content-type': 'application/octet-stream' };
    // The store compares the content with the hash that was signed.
    const answer = await this.client.text({ method: 'PUT', path, headers, content: checked });
    // A console or a login page answers every request with 200, and keeps nothing.
    if (/<!doctype html|<html[\s>]/i.test(answer)) throw notS3(this.client.target, new Error('a web page'));
  }

  async copy(from: string, to: string): Promise<boolean> {
    const { bucket, prefix } = this.client.target;
    const headers = { 'x-amz-copy-source': encodeKey(`/${bucket}/${prefix}${from}`) };
    try {
      // The answer to a copy that fails halfway has the status 200 and an error in its body.
      return (await this.client.text({ method: 'PUT', path: to, headers })).includes('<CopyObjectResult');
    } catch (error) {
      // A missing file, a service without copies, or a key without the right. The upload that follows reports
      // anything else.
      if (error instanceof S3Refusal || (error as Error).cause instanceof S3Refusal) return false;
      throw error;
    }
  }

  async get(path: string, range?: ByteRange): Promise<StoredRead | null> {
    const first = await this.unlessMissing(getRequest(path, range));
    if (!first) return null;
    const total = range ? totalOfRange(first, range) : Number(first.headers['content-length'] ?? NaN);
    if (!Number.isInteger(total)) {
      first.destroy();
      throw unreachable(this.client.target, new Error(range ? IGNORES_RANGES : 'an answer without a length'));
    }
    const whole = range ?? { start: 0, end: total - 1 };
    const body = Readable.from(this.readOn(path, first, whole, total), { objectMode: false });
    body.once('close', () => first.destroy());
    const sha256 = first.headers[SHA256_HEADER];
    return { bytes: total, body, ...(typeof sha256 === 'string' && { sha256 }) };
  }

  async signedAddress(path: string, headers: SignedHeaders): Promise<string | null> {
    if (!this.client.target.redirect) return null;
    const query = Object.entries(headers).map(([name, value]) => [`response-${name.toLowerCase()}`, value]);
    return this.client.signedAddress(path, Object.fromEntries(query) as Record<string, string>);
  }

  async head(path: string): Promise<StoredFacts | null> {
    const response = await this.unlessMissing({ method: 'HEAD', path });
    if (!response) return null;
    response.resume();
    const sha256 = response.headers[SHA256_HEADER];
    const bytes = Number(response.headers['content-length']);
    return typeof sha256 === 'string' ? { bytes, sha256 } : { bytes };
  }

  async *list(prefix = ''): AsyncGenerator<StoredEntry> {
    const { prefix: root } = this.client.target;
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        prefix: root + prefix,
        ...(token && { 'continuation-token': token }),
      };
      const page = await this.listing(query);
      for (const { key, bytes } of page.entries) {
        const path = key.slice(root.length);
        // Some tools mark folders with an empty object.
        if (path === '' || path.endsWith('/') || isHidden(path, prefix)) continue;
        yield { path, bytes, isFile: true };
      }
      // Some services send an empty token on the last page.
      token = page.next || undefined;
    } while (token !== undefined);
  }

  async delete(path: string): Promise<void> {
    (await this.unlessMissing({ method: 'DELETE', path }))?.resume();
  }

  async check(): Promise<void> {
    const { prefix } = this.client.target;
    await this.listing({ 'list-type': '2', prefix, 'max-keys': '1' });
  }

  async removeUnfinished(): Promise<number> {
    return 0; // an object appears whole or not at all
  }

  close(): void {
    this.client.close();
  }

  private async listing(query: Record<string, string>): Promise<Listing> {
    const { client } = this;
    const text = await client.text({ method: 'GET', query });
    try {
      return readListing(text);
    } catch (error) {
      throw notS3(client.target, error);
    }
  }

  private async *readOn(
    path: string,
    first: IncomingMessage,
    { start, end }: ByteRange,
    total: number,
  ): AsyncGenerator<Buffer> {
    const { target } = this.client;
    let next = start;
    let source = first;
    for (let resumption = 0; ; resumption += 1) {
      try {
        for await (const chunk of chunksOf(source)) {
          resumption = 0;
          next += chunk.length;
          if (next > end + 1) throw unreachable(target, new Error('an answer is longer than it says'));
          yield chunk;
        }
        if (next > end) return;
        throw new Error('the answer was cut off');
      } catch (error) {
        if (isAppError(error)) throw error;
        if (next > end) return;
        if (resumption === RESUMPTIONS) throw unreachable(target, error);
        const rest = { start: next, end };
        const again = await this.unlessMissing(getRequest(path, rest));
        if (!again) throw unreachable(target, error);
        // A service that ignores ranges begins the file anew, and another file may have taken its place.
        if (totalOfRange(again, rest) !== total || again.headers.etag !== first.headers.etag) {
          again.destroy();
          throw unreachable(target, new Error(IGNORES_RANGES));
        }
        source = again;
      }
    }
  }

  private async unlessMissing(request: S3Request) {
    try {
      return await this.client.send(request);
    } catch (error) {
      if (error instanceof S3Refusal && error.isMissing) return null;
      throw error;
    }
  }
}

/** The size of the whole file in an answer that is exactly this range of it, else NaN. */
function totalOfRange({ statusCode, headers }: IncomingMessage, { start, end }: ByteRange): number {
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  return statusCode === 206 && Number(from) === start && Number(to) === end ? Number(total) : NaN;
}

function getRequest(path: string, range?: ByteRange): S3Request {
  return { method: 'GET', path, ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }) };
}

function pipeChecked(path: string, content: MediaContent): Readable {
  const source = content.open();
  const check = checking(path, content);
  source.once('error', (error) => check.destroy(error));
  return source.pipe(check);
}

interface Listing {
  entries: { key: string; bytes: number }[];
  /** Continues the listing; undefined on the last page. */
  next?: string;
}

/** Reads an answer of ListObjectsV2. @throws Error when the answer is not a listing */
function readListing(xml: string): Listing {
  const listing: Listing = { entries: [] };
  const open: string[] = [];
  let text = '';
  let entry = { key: '', bytes: 0 };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    text = '';
    if (name === 'Contents') entry = { key: '', bytes: 0 };
  });
  parser.on('text', (part) => (text += part));
  parser.on('closetag', ({ name }) => {
    const path = open.join('/');
    if (path === 'ListBucketResult/Contents/Key') entry.key = text;
    if (path === 'ListBucketResult/Contents/Size') entry.bytes = Number(text);
    if (path === 'ListBucketResult/Contents') listing.entries.push(entry);
    if (path === 'ListBucketResult/NextContinuationToken') listing.next = text;
    if (path === name && name !== 'ListBucketResult') throw new Error('the answer is not a listing');
    open.pop();
    text = '';
  });
  parser.write(xml).close();
  return listing;
}
