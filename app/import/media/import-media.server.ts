import { open, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STILL_MESSAGE, fileFormatOf, SNIFFED_BYTES, storedAs } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import {
  storeFile,
  type FileUpload,
  isNewMedia,
  storeMedia,
  type MediaApp,
} from '#app/media/library/store-media.server.ts';
import { S3Refusal } from '#app/media/store/s3-client.server.ts';
import { AppError, isAppError, asFullDisk, invalidInput } from '#app/platform/errors.ts';
import { contentName, sha256OfFile } from '#app/platform/files/sha256.server.ts';
import { Mutex } from '#app/platform/jobs/concurrency.ts';
import { readSetting } from '#app/settings/queries.server.ts';
import { checkImage, fitForLibrary, isSmallPicture, isSvgFile, sizeOfLargeGif } from './fit-image.server.ts';

/** For a file that a bucket fails to store although it answers. In each attempt the store itself tries several times. */
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 1_000;
/** More would take more memory, and a server beside the import too much of the processor. */
const PICTURES_AT_ONCE = 2;
/** After this number of failed files in a row, which takes a minute, the bucket is taken to store none. */
const FAILED_FILES_MAX = 5;

/** A file of the source in the media library. In a dry run it has no id. */
export interface ImportedMedia {
  id: string | null;
  /** The address in posts. */
  address: string;
  /** What the library could not keep of it. */
  warning?: string;
}

/** A file that stays out. `isOfStore`: the bucket failed to store it, and may store it at the next run. */
interface LeftOut {
  problem: string;
  isOfStore: boolean;
}

/** Adds files to the media library, each once a run. */
export class MediaImport {
  /** New in the library. */
  storedCount = 0;
  /** How often a file was asked for that the bucket failed to store. */
  failedCount = 0;
  private failedInRow = 0;
  private readonly app: MediaApp;
  private readonly dryRun: boolean;
  private readonly startedAt: Date;
  private readonly byFile = new Map<string, ImportedMedia | LeftOut>();
  private readonly counted = new Set<string>();
  /** The size limit of a file that is not a picture. */
  private maxBytes: number | undefined;

  constructor(app: MediaApp, options: { dryRun: boolean }) {
    this.app = app;
    this.dryRun = options.dryRun;
    this.startedAt = app.clock.now();
  }

  /**
   * @throws AppError `invalid_input` with the reason why the file cannot be stored. Any other error ends the import:
   *   all further posts would come without their pictures.
   */
  async add(file: string): Promise<ImportedMedia> {
    let known = this.byFile.get(file);
    if (!known) {
      known = await this.importWithRetries(file);
      this.byFile.set(file, known);
    }
    if (!('problem' in known)) return known;
    if (known.isOfStore) this.failedCount += 1;
    throw invalidInput(known.problem);
  }

  /**
   * Adds files, so that `add` finds them: small pictures two at a time, after all others, which take more memory.
   * @throws an error that ends the import
   */
  async addAhead(files: Iterable<string>): Promise<void> {
    const small: string[] = [];
    for (const file of new Set(files)) {
      if (this.byFile.has(file)) continue;
      if (await isSmallPicture(file)) small.push(file);
      else this.byFile.set(file, await this.importWithRetries(file));
    }
    const addInTurn = async () => {
      for (let file = small.shift(); file !== undefined; file = small.shift())
        this.byFile.set(file, await this.importWithRetries(file));
    };
    const lanes = Array.from({ length: Math.min(PICTURES_AT_ONCE, availableParallelism()) }, addInTurn);
    // After a failure nothing is still being stored when the caller gives the lock of the uploads back.
    const ended = await Promise.allSettled(lanes);
    for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
  }

  /**
   * Tries again when a bucket fails to store the file although it answers, but not if it failed at the file before.
   * @throws an error that ends the import: the store does not answer, refuses the key or stores no file.
   */
  private async importWithRetries(file: string): Promise<ImportedMedia | LeftOut> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const media = await this.importFile(file);
        this.failedInRow = 0;
        return media;
      } catch (error) {
        const { folder, address } = this.app.mediaStore;
        const isOfStore = isAppError(error) && error.code === 'unavailable' && folder === null;
        if (!isAppError(error) || (isOfStore && (isRefused(error) || !(await this.storeAnswers()))))
          throw asFullDisk(error, folder ?? address);
        if (!isOfStore || isOfFile(error)) return { problem: error.message, isOfStore: false };
        if (attempt === ATTEMPTS || this.failedInRow > 0) return this.leaveOut(error);
        await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
  }

  /** @throws AppError `unavailable` when the bucket has stored none of the last files. */
  private leaveOut({ message, cause }: AppError): LeftOut {
    this.failedInRow += 1;
    if (this.failedInRow < FAILED_FILES_MAX)
      return { problem: `${message} Run the import again to add it.`, isOfStore: true };
    const advice = 'Run the import again when it stores files: it continues where it stopped.';
    throw new AppError(
      'unavailable',
      `${message} It has stored none of the last ${FAILED_FILES_MAX} files. ${advice}`,
      { cause },
    );
  }

  /** False while a bucket does not answer: then it is the store that fails, not the file. */
  private async storeAnswers(): Promise<boolean> {
    const { mediaStore } = this.app;
    return mediaStore.check().then(
      () => true,
      () => false,
    );
  }

  private async importFile(file: string): Promise<ImportedMedia> {
    const { size } = await stat(file);
    const head = await headOf(file);
    const format = fileFormatOf(head, file);
    if (format !== null) return this.importUnchanged(file, { size, format });
    // Checks the size first: to find the dimensions of a GIF, all of it is read.
    const gif =
      size <= (await this.readMaxBytes()) ? await sizeOfLargeGif(file, { head, bytes: size }) : null;
    if (gif !== null) return this.importUnchanged(file, { size, format: 'gif', ...gif });
    if (size > mediaLimits.fileBytes)
      throw invalidInput(`The file is too large: at most ${mediaLimits.fileBytes / 1024 / 1024} MB.`);
    const bytes = await readFile(file);
    const picture = { originalName: originalName(file), keepPlain: isNamedByContent(file, bytes) };
    if (this.dryRun) {
      await checkImage(bytes, file);
      // Only a picture with a known name must be converted and encoded for the comparison.
      const sameName = await this.app.db.media.findFirst({ where: { originalName: picture.originalName } });
      const isNew =
        !sameName || (await isNewMedia(this.app, { ...picture, bytes: await fitForLibrary(bytes, file) }));
      if (isNew) this.count(contentName(bytes));
      return { id: null, address: '/uploads/' };
    }
    // `addAhead` bounds how many are encoded at the same time.
    const app = { ...this.app, pictureQueue: new Mutex() };
    const media = await storeMedia(app, {
      ...picture,
      bytes: await fitForLibrary(bytes, file),
      uploadedById: null,
    });
    if (media.createdAt >= this.startedAt) this.count(media.id);
    const warning = media.isStill ? STILL_MESSAGE : undefined;
    return { id: media.id, address: `/uploads/${media.path}`, warning };
  }

  /** Stores a sound, a film, a document or a large GIF unchanged. */
  private async importUnchanged(
    file: string,
    { size, ...facts }: { size: number } & Pick<FileUpload, 'format' | 'width' | 'height'>,
  ): Promise<ImportedMedia> {
    const maxBytes = await this.readMaxBytes();
    if (size > maxBytes)
      throw invalidInput(
        `The file is too large: at most ${Math.floor(maxBytes / 1024 / 1024)} MB (setting media_max_bytes).`,
      );
    const sha256 = await sha256OfFile(file);
    if (this.dryRun) {
      if (!(await this.app.db.media.findFirst({ where: { sha256 } }))) this.count(sha256);
      return { id: null, address: `/uploads/.${storedAs(facts.format).extension}` };
    }
    const media = await storeFile(this.app, {
      place: file,
      bytes: size,
      sha256,
      ...facts,
      originalName: originalName(file),
      uploadedById: null,
    });
    if (media.createdAt >= this.startedAt) this.count(media.id);
    return { id: media.id, address: `/uploads/${media.path}` };
  }

  private async readMaxBytes(): Promise<number> {
    return (this.maxBytes ??= await readSetting(this.app, 'media_max_bytes'));
  }

  private count(identity: string): void {
    if (this.counted.has(identity)) return;
    this.counted.add(identity);
    this.storedCount += 1;
  }
}

/** True when the access key may not store files, though it may list them. */
function isRefused({ cause }: AppError): boolean {
  return cause instanceof S3Refusal && [401, 403].includes(cause.status);
}

/**
 * True when the bucket refuses this file as too large, and may take any other. Other refusals can be of the bucket: a
 * quota of MinIO is a 400 too.
 */
function isOfFile({ cause }: AppError): boolean {
  return cause instanceof S3Refusal && (cause.status === 413 || cause.code === 'EntityTooLarge');
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// Whether a file has the name that an export gives to its content.
function isNamedByContent(file: string, bytes: Buffer): boolean {
  return path.parse(file).name === contentName(bytes);
}

function originalName(file: string): string {
  const name = isSvgFile(file) ? `${path.basename(file)}.png` : path.basename(file);
  return [...name].slice(-mediaLimits.nameCharacters).join('');
}
