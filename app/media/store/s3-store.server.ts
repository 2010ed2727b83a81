import { Readable } from 'node:stream';
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
import { encodeKey, S3Client, type S3Limits, type S3Request } from './s3-client.server.ts';
import { notS3, S3Refusal, unreachable } from './s3-errors.server.ts';
import { readListing, type Listing } from './s3-listing.ts';

/** How often one read may continue without a new byte after it broke off. */
const RESUMPTIONS = 3;
const SHA256_HEADER = 'x-amz-meta-sha256';

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
    const total = /\/(\d+)$/.exec(first.headers['content-range'] ?? '')?.[1];
    const bytes = Number(total ?? first.headers['content-length']);
    const end = range ? range.end : bytes - 1;
    const body = Readable.from(this.readOn(path, first, { start: range?.start ?? 0, end }), {
      objectMode: false,
    });
    body.once('close', () => first.destroy());
    return { bytes, body };
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

  private async *readOn(path: string, first: Readable, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    let next = start;
    let source = first;
    for (let resumption = 0; ; resumption += 1) {
      try {
        for await (const chunk of source) {
          resumption = 0;
          next += (chunk as Buffer).length;
          yield chunk as Buffer;
        }
        if (next > end) return;
        throw new Error('the answer was cut off');
      } catch (error) {
        if (next > end) return;
        if (resumption === RESUMPTIONS) throw unreachable(this.client.target, error);
        const again = await this.unlessMissing(getRequest(path, { start: next, end }));
        if (!again) throw unreachable(this.client.target, error);
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

function getRequest(path: string, range?: ByteRange): S3Request {
  return { method: 'GET', path, ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }) };
}

function pipeChecked(path: string, content: MediaContent): Readable {
  const source = content.open();
  const check = checking(path, content);
  source.once('error', (error) => check.destroy(error));
  return source.pipe(check);
}
