import type { MediaTarget } from '#app/platform/media-target.server.ts';
import { FileStore } from './file-store.server.ts';
import type { MediaStore } from './media-store.ts';
import { S3Store } from './s3-store.server.ts';

/** The store that an address names. Nothing is read before its first use. */
export function createMediaStore(target: MediaTarget): MediaStore {
  return target.kind === 'file' ? new FileStore(target.folder) : new S3Store(target);
}
