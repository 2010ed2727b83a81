import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chunksOf } from './chunks.ts';

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The file name, without extension, for a content: the first 32 hexadecimal digits of its SHA-256, as in the library. */
export function contentName(bytes: Uint8Array): string {
  return sha256Of(bytes).slice(0, 32);
}

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
