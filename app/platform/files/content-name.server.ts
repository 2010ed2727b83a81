import { sha256Of } from '#app/platform/files/sha256.server.ts';

/** The file name, without extension, for a content: the first 32 hexadecimal digits of its SHA-256, as in the library. */
export function contentName(bytes: Uint8Array): string {
  return sha256Of(bytes).slice(0, 32);
}
