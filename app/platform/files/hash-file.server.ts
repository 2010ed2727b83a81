import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Adds the bytes of a file to a hash, one chunk after the other. */
export async function addFile<Hash extends { update(bytes: Buffer): unknown }>(
  hash: Hash,
  file: string,
): Promise<Hash> {
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash;
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(file: string): Promise<string> {
  return (await addFile(createHash('sha256'), file)).digest('hex');
}
