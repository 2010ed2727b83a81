import { createReadStream } from 'node:fs';
import { storedAs, type FileFormat } from '#app/media/encode/file-formats.ts';
import { isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import {
  described,
  findBySha256,
  requireAlt,
  requireName,
  stemOf,
  writeRow,
  type Media,
  type MediaApp,
} from './store-media.server.ts';
import { reservePaths } from './sweep.server.ts';

export interface FileUpload {
  /** The path of the complete file on disk. */
  place: string;
  bytes: number;
  /** Lower-case hexadecimal, of the file's bytes. */
  sha256: string;
  format: FileFormat | 'gif';
  /** In pixels, of a picture. */
  width?: number;
  height?: number;
  /** The file's own name without a folder. */
  originalName: string;
  alt?: string;
  uploadedById: string | null;
}

/**
 * Adds a sound, a film, a document or a large GIF to the media library, unchanged. Existing content is not stored again.
 * @throws AppError `invalid_input` with the reason; then nothing was stored.
 */
export async function storeFile(app: MediaApp, upload: FileUpload): Promise<Media> {
  const originalName = requireName(upload.originalName);
  const alt = requireAlt(upload.alt ?? '');
  const { place, bytes, sha256, format, uploadedById } = upload;
  const existing = await findBySha256(app, sha256);
  if (existing) return described(app, existing, alt);
  const { extension, mimeType } = storedAs(format);
  const path = `${stemOf(app, sha256)}.${extension}`;
  await reservePaths(app, [path]);
  await app.mediaStore.put(path, { bytes, sha256, open: () => createReadStream(place) });
  const facts = {
    path,
    mimeType,
    bytes,
    sha256,
    sourceSha256: sha256,
    width: upload.width ?? null,
    height: upload.height ?? null,
    color: '',
    variants: [],
  };
  try {
    return await writeRow(app, { ...facts, originalName, alt, uploadedById });
  } catch (error) {
    // The same file arrived twice at the same moment; the other one has the row.
    const other = isUniqueViolation(error) && (await findBySha256(app, sha256));
    if (other) return other;
    throw error;
  }
}
