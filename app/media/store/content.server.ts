import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { AppError } from '#app/platform/errors.ts';
import { chunksOf } from '#app/platform/files/chunks.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { MediaContent, MediaStore, StoredFacts } from './media-store.ts';

/** A file's content in memory. */
export function contentOfBytes(bytes: Uint8Array): MediaContent {
  return {
    bytes: bytes.length,
    sha256: sha256Of(bytes),
    open: () => Readable.from([bytes]),
  };
}

/** A file's content on disk, with its known size and hash. */
export function contentOfFile(file: string, facts: { bytes: number; sha256: string }): MediaContent {
  return { ...facts, open: () => createReadStream(file) };
}

/** A file's content in another store. */
export function contentOfStored(store: MediaStore, path: string, facts: Required<StoredFacts>): MediaContent {
  return { ...facts, open: () => Readable.from(readStored(store, path)) };
}

/**
 * The chunks of a stored file.
 * @throws AppError `not_found`; `unavailable` after the last chunk when they are not the file that the store names
 */
export async function* readStored(store: MediaStore, path: string): AsyncGenerator<Buffer> {
  const read = await store.get(path);
  if (!read) throw new AppError('not_found', `${path} is not in ${store.address}.`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(read.body)) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  const sha256 = hash.digest('hex');
  if (bytes === read.bytes && sha256 === (read.sha256 ?? sha256)) return;
  throw new AppError('unavailable', `${path} could not be read whole from ${store.address}.`);
}

/** A stored file in memory; null if it is missing or larger than `limit` bytes. */
export async function readSmall(store: MediaStore, path: string, limit: number): Promise<Buffer | null> {
  const read = await store.get(path);
  if (!read) return null;
  if (read.bytes > limit) {
    read.body.destroy();
    return null;
  }
  return Buffer.concat(await read.body.toArray());
}

/** Size and hash of a stored file, by reading it; null if it is missing. */
export async function hashStored(store: MediaStore, path: string): Promise<Required<StoredFacts> | null> {
  const read = await store.get(path);
  if (!read) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(read.body)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Passes content on, and fails before its last bytes when size or hash differ from the stated ones. */
export function checking(path: string, expected: MediaContent): Transform {
  const hash = createHash('sha256');
  let bytes = 0;
  let lastChunk: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      const previous = lastChunk;
      lastChunk = chunk;
      done(null, previous);
    },
    flush(done) {
      const same = bytes === expected.bytes && hash.digest('hex') === expected.sha256;
      if (same) done(null, lastChunk);
      else done(new AppError('conflict', `${path} was not stored: its content is not the expected one.`));
    },
  });
}
