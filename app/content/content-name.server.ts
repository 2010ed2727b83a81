import { createHash } from 'node:crypto';

/** A name for a file that is made of its content: half a SHA-256, as the library's own names are. */
export function contentName(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
