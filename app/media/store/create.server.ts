import type { MediaTarget } from '#app/platform/media-target.server.ts';
import { FileStore } from './folder.server.ts';
import type { MediaStore } from './media-store.ts';
import { S3Store } from './s3.server.ts';

/**
 * The store that an address names. Nothing is read before its first use.
 * @param options.isPrivate only the owner may read the files of a folder
 */
export function createMediaStore(target: MediaTarget, options: { isPrivate?: boolean } = {}): MediaStore {
  return target.kind === 'file' ? new FileStore(target.folder, options) : new S3Store(target);
}
