import { createHash } from 'node:crypto';

/** The file name, without extension, for a content: the first 32 hexadecimal digits of its SHA-256, as in the library. */
export function contentName(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
