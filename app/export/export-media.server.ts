import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FILE_MODE, FOLDER_MODE } from '#app/backup/write/folder-writer.server.ts';
import { fileFormats, formatOf, imageFormats } from '#app/media/encode/formats.ts';
import { mediaLimits } from '#app/media/encode/limits.ts';
import { isMediaPath } from '#app/media/library/path.ts';
import { hashStored, readSmall, readStored } from '#app/media/store/content.server.ts';
import type { MediaStore } from '#app/media/store/media-store.ts';
import { codeOf, isAppError } from '#app/platform/errors.ts';
import { contentName } from '#app/platform/files/sha256.server.ts';

/** Copies the uploads that posts name into an export, each once. */
export class MediaExport {
  /** What could not be exported, in words. */
  readonly warnings: string[] = [];
  private readonly store: MediaStore;
  private readonly folder: string;
  private readonly nameBy: 'content' | 'path';
  private readonly names = new Map<string, string | null>();
  private readonly written = new Set<string>();

  /**
   * @param folder exists; gets the files
   * @param options.nameBy the name of a copy: a hash of its content, or its path below the uploads folder
   */
  constructor(store: MediaStore, folder: string, { nameBy }: { nameBy: 'content' | 'path' }) {
    this.nameBy = nameBy;
    this.store = store;
    this.folder = folder;
  }

  get fileCount(): number {
    return this.written.size;
  }

  /**
   * Copies an upload at the first call, and returns the copy's name; null when the upload cannot be exported.
   * @param upload below the uploads folder
   */
  async take(upload: string): Promise<string | null> {
    const earlier = this.names.get(upload);
    if (earlier !== undefined) return earlier;
    const name = await this.copy(upload);
    this.names.set(upload, name);
    return name;
  }

  private async copy(upload: string): Promise<string | null> {
    const fileFormat = Object.values(fileFormats).find(({ extension }) => upload.endsWith(`.${extension}`));
    if (fileFormat && isMediaPath(upload)) return this.copyWhole(upload, fileFormat.extension);
    const bytes = await this.read(upload);
    const format = bytes && formatOf(bytes);
    if (!bytes || !format) return this.leave(upload, bytes ? 'it is not an image' : 'it cannot be read');
    const name = this.nameBy === 'path' ? upload : `${contentName(bytes)}.${imageFormats[format].extension}`;
    return this.place(name, (file) => writeFile(file, bytes, { flag: 'wx', mode: FILE_MODE, flush: true }));
  }

  /** Copies a sound, a film or a document, which may not fit into memory. */
  private async copyWhole(upload: string, extension: string): Promise<string | null> {
    const facts = await hashStored(this.store, upload).catch((error: unknown) => unreadable(error));
    if (!facts) return this.leave(upload, 'it cannot be read');
    const name = this.nameBy === 'path' ? upload : `${facts.sha256.slice(0, 32)}.${extension}`;
    return this.place(name, (file) => {
      const target = createWriteStream(file, { flags: 'wx', mode: FILE_MODE, flush: true });
      return pipeline(Readable.from(readStored(this.store, upload)), target);
    });
  }

  private async place(name: string, write: (file: string) => Promise<void>): Promise<string> {
    if (!this.written.has(name)) {
      const file = path.join(this.folder, name);
      await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
      await write(file);
    }
    this.written.add(name);
    return name;
  }

  private leave(upload: string, why: string): null {
    this.warnings.push(`uploads/${upload} stays where it is: ${why}.`);
    return null;
  }

  private async read(upload: string): Promise<Buffer | null> {
    if (!isMediaPath(upload)) return null;
    try {
      return await readSmall(this.store, upload, mediaLimits.fileBytes);
    } catch (error) {
      return unreadable(error);
    }
  }
}

// A file that cannot be read is left out; a store that does not answer ends the export.
function unreadable(error: unknown): null {
  if (isAppError(error) || codeOf(error) === undefined) throw error;
  return null;
}
