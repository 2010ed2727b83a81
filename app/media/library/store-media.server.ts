import { createReadStream } from 'node:fs';
import {
  losesAnimation,
  imageFormats,
  type MediaVariant,
  storedAs,
  type FileFormat,
} from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import type { EncodedUpload } from '#app/media/encode/image.server.ts';
import { contentOfBytes } from '#app/media/store/content.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { type Clock, newId } from '#app/platform/clock.ts';
import type { Database, Prisma } from '#app/platform/database/client.server.ts';
import { inTransaction, isUniqueViolation } from '#app/platform/database/transaction.server.ts';
import { AppError, fieldError } from '#app/platform/errors.ts';
import { sha256Of } from '#app/platform/files/sha256.server.ts';
import { say } from '#app/platform/message.ts';
import type { Clocked, Db, Pictures, Timed } from '#app/platform/services.ts';
import { isStorable, line } from '#app/platform/text/schemas.ts';
import { trashEntries } from '#app/platform/trash-key.ts';
import { keepReserved, reservePaths } from './sweep.server.ts';

/** A row of the media library. */
export type Media = Prisma.MediaGetPayload<object>;

/** A stored picture. */
export type StoredMedia = Media & {
  /** True when the sent file was an animation of which only the first picture is stored. */
  isStill?: boolean;
};

export interface MediaUpload {
  bytes: Uint8Array;
  /** The file's own name without a folder. */
  originalName: string;
  /** The alternative text. */
  alt?: string;
  /** Null for a command. */
  uploadedById: string | null;
  /** True for a file with a name from an export: its bytes stay if they contain only the picture. */
  keepPlain?: boolean;
}

export type MediaApp = Timed & Stored & Pictures;

const altSchema = line(1_000, 'Alternative text');

/**
 * Adds a picture to the media library. Existing content is not stored again: its row is returned, with the new
 * description if it had none. Readers see no difference: posts have their own descriptions of the picture.
 * @throws AppError `invalid_input` with the reason; then nothing was stored.
 */
export async function storeMedia(app: MediaApp, upload: MediaUpload): Promise<StoredMedia> {
  const media = await storePicture(app, upload);
  const { buffer, byteOffset, byteLength } = upload.bytes;
  return losesAnimation(Buffer.from(buffer, byteOffset, byteLength)) ? { ...media, isStill: true } : media;
}

async function storePicture(app: MediaApp, upload: MediaUpload): Promise<Media> {
  const originalName = requireName(upload.originalName);
  const alt = requireAlt(upload.alt ?? '');
  const sent = Buffer.from(upload.bytes.buffer, upload.bytes.byteOffset, upload.bytes.byteLength);
  const sourceSha256 = sha256Of(sent);
  const sha256 = await sha256OfSent(app, sourceSha256, upload);
  const existing = sha256 && (await findBySha256(app, sha256));
  if (existing) return described(app, existing, alt);
  const encoded = await encodeInTurn(app, sent, upload);
  const facts = { originalName, alt, sourceSha256, uploadedById: upload.uploadedById };
  const row = { ...describe(app, encoded), ...facts };
  const files = [encoded.image, ...encoded.copies].map(({ bytes }, index) => ({
    path: index === 0 ? row.path : row.variants[index - 1]!.path,
    bytes,
  }));
  await storeFiles(app, files);
  try {
    return await described(app, await writeRow(app, row), alt);
  } catch (error) {
    // The same picture arrived twice at the same moment; the other one has the row.
    const other = isUniqueViolation(error) && (await findBySha256(app, row.sha256));
    if (other) return described(app, other, alt);
    throw error;
  }
}

/**
 * Whether `storeMedia` would write a new row for a picture; nothing is written. A picture may be known only by what it
 * is encoded to, so it is encoded when the library has one of its name.
 * @throws AppError `invalid_input` with the reason why the file is refused
 */
export async function isNewMedia(
  app: Db & Pictures,
  { bytes, originalName, keepPlain }: Pick<MediaUpload, 'originalName' | 'keepPlain'> & { bytes: Buffer },
): Promise<boolean> {
  if (await sha256OfSent(app, sha256Of(bytes), { keepPlain })) return false;
  if (!(await app.db.media.findFirst({ where: { originalName }, select: { id: true } }))) return true;
  const { image } = await encodeInTurn(app, bytes, { keepPlain });
  return !(await has(app, sha256Of(image.bytes)));
}

/**
 * The hash under which the library has a file that it contains or has encoded before; null for a new file. A known file
 * is not encoded again, and a later version of the encoder makes no second picture of it. With `keepPlain`, files that
 * were encoded do not count.
 */
async function sha256OfSent(
  app: Db,
  sent: string,
  { keepPlain }: Pick<MediaUpload, 'keepPlain'>,
): Promise<string | null> {
  if (await has(app, sent)) return sent;
  if (keepPlain === true) return null;
  const earlier = await app.db.media.findFirst({
    where: { sourceSha256: sent },
    orderBy: { id: 'desc' },
    select: { sha256: true },
  });
  return earlier?.sha256 ?? null;
}

async function has({ db }: Db, sha256: string): Promise<boolean> {
  return (await db.media.findFirst({ where: { sha256 }, select: { id: true } })) !== null;
}

// Stores the files before the row. A crash then leaves complete files without a row, which a trigger removes, but never
// a row without its files.
async function storeFiles(app: MediaApp, files: { path: string; bytes: Uint8Array }[]): Promise<void> {
  await reservePaths(
    app,
    files.map((file) => file.path),
  );
  for (const { path, bytes } of files) await app.mediaStore.put(path, contentOfBytes(bytes));
}

/** A row that is to be written. */
interface NewRow extends Omit<Media, 'id' | 'variants' | 'trashedAt' | 'createdAt' | 'updatedAt'> {
  variants: MediaVariant[];
}

/** Writes the row of stored files, whose paths are reserved. */
async function writeRow(app: MediaApp, row: NewRow): Promise<Media> {
  const paths = [row.path, ...row.variants.map(({ path }) => path)];
  return inTransaction(app.db, async (tx) => {
    const existing = await findBySha256({ ...app, db: tx }, row.sha256);
    if (existing) return existing;
    if (!(await keepReserved(tx, paths))) {
      const other = await findBySha256({ ...app, db: tx }, row.sha256);
      if (other) return other;
      throw new AppError('conflict', 'The upload was interrupted. Try again.');
    }
    const now = app.clock.now();
    const data = { ...row, variants: JSON.stringify(row.variants) };
    return tx.media.create({ data: { ...data, id: newId(app.clock), createdAt: now, updatedAt: now } });
  });
}

// The update locks the row, so that a simultaneous deletion comes before or after, not between. A file in the trash is
// restored.
async function findBySha256(
  app: { db: Pick<Database, 'media' | 'trashItem'>; clock: Clock },
  sha256: string,
): Promise<Media | null> {
  const data = { updatedAt: app.clock.now(), trashedAt: null };
  const [row] = await app.db.media.updateManyAndReturn({ where: { sha256 }, data });
  if (row) await app.db.trashItem.deleteMany({ where: trashEntries('media', row.id) });
  return row ?? null;
}

/** Gives a row the description if it has none, and returns it. */
async function described(app: MediaApp, media: Media, alt: string): Promise<Media> {
  if (media.alt !== '' || alt === '') return media;
  const where = { id: media.id, alt: '' };
  const [row] = await app.db.media.updateManyAndReturn({ where, data: { alt } });
  return row ?? media;
}

/** A file's path without its ending. 128 bits name the content well enough and keep the address short. */
function stemOf({ clock }: Clocked, sha256: string): string {
  return `${clock.now().toISOString().slice(0, 7).replace('-', '/')}/${sha256.slice(0, 32)}`;
}

function describe(app: MediaApp, { image, copies, color }: EncodedUpload) {
  const sha256 = sha256Of(image.bytes);
  const { extension, mimeType } = imageFormats[image.format];
  const stem = stemOf(app, sha256);
  return {
    path: `${stem}.${extension}`,
    mimeType,
    bytes: image.bytes.length,
    sha256,
    width: image.width,
    height: image.height,
    color,
    variants: copies.map(({ bytes, width, height, format }): MediaVariant => ({
      path: `${stem}-${width}.${imageFormats[format].extension}`,
      width,
      height,
      mimeType: imageFormats[format].mimeType,
      bytes: bytes.length,
    })),
  };
}

/** @throws AppError `invalid_input` for an invalid file name */
function requireName(name: string): string {
  const problem =
    name.trim() === ''
      ? 'The file has no name.'
      : [...name].length > mediaLimits.nameCharacters
        ? say("The file's name is too long: at most {most} characters.", { most: mediaLimits.nameCharacters })
        : !isStorable(name) || /[/\\\p{Cc}]/u.test(name)
          ? "The file's name contains characters that no file name has."
          : null;
  if (problem) throw new AppError('invalid_input', problem);
  return name;
}

/** @throws AppError `invalid_input` for the field `alt` */
export function requireAlt(alt: string): string {
  const parsed = altSchema.safeParse(alt);
  if (parsed.success) return parsed.data;
  const { message } = parsed.error.issues[0]!;
  throw fieldError('alt', message);
}

// Encodes one picture at a time: decoded it may take 200 MB, and the encoder uses all cores.
function encodeInTurn(
  { pictureQueue }: Pictures,
  bytes: Buffer,
  { keepPlain }: Pick<MediaUpload, 'keepPlain'>,
): Promise<EncodedUpload> {
  return pictureQueue.run(async () => {
    // `sharp` is loaded with the first picture: most commands have none.
    const { encodeUpload } = await import('#app/media/encode/image.server.ts');
    return encodeUpload(bytes, { keepPlain });
  });
}

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
