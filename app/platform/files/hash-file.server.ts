import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chunksOf } from './chunks.ts';

/** Adds the bytes of a file to a hash, one chunk after the other. */
export async function addFile<Hash extends { update(bytes: Buffer): unknown }>(
  hash: Hash,
  file: string,
): Promise<Hash> {
  for await (const chunk of chunksOf(createReadStream(file))) hash.update(chunk);
  return hash;
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(file: string): Promise<string> {
  return (await addFile(createHash('sha256'), file)).digest('hex');
}
