import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FILE_MODE, openRegular } from '#app/backup/folder-writer.server.ts';
import { isMediaPath } from '#app/backup/media-path.ts';
import { formatOf, imageFormats } from '#app/media/image-formats.ts';
import { mediaLimits } from '#app/media/media-limits.ts';
import { contentName } from './content-name.server.ts';

/** Copies the uploads that posts name into an export, each once, under a name made of its content. */
export class MediaExport {
  /** What could not come along, in words. */
  readonly warnings: string[] = [];
  private readonly uploadsDir: string;
  private readonly folder: string;
  private readonly names = new Map<string, string | null>();
  private readonly written = new Set<string>();

  /** @param folder exists; gets the files */
  constructor(uploadsDir: string, folder: string) {
    this.uploadsDir = uploadsDir;
    this.folder = folder;
  }

  get fileCount(): number {
    return this.written.size;
  }

  /**
   * The name of an upload's copy, which is made if it is not there yet; null where there is none.
   * @param upload below the uploads folder
   */
  async take(upload: string): Promise<string | null> {
    const known = this.names.get(upload);
    if (known !== undefined) return known;
    const name = await this.copy(upload);
    this.names.set(upload, name);
    return name;
  }

  private async copy(upload: string): Promise<string | null> {
    const bytes = await this.read(upload);
    const format = bytes && formatOf(bytes);
    if (!bytes || !format) {
      const why = bytes ? 'it is not an image' : 'it cannot be read';
      this.warnings.push(`uploads/${upload} stays where it is: ${why}.`);
      return null;
    }
    const name = `${contentName(bytes)}.${imageFormats[format].extension}`;
    if (!this.written.has(name))
      await writeFile(path.join(this.folder, name), bytes, { flag: 'wx', mode: FILE_MODE, flush: true });
    this.written.add(name);
    return name;
  }

  private async read(upload: string): Promise<Buffer | null> {
    if (!isMediaPath(upload)) return null;
    try {
      const handle = await openRegular(path.join(this.uploadsDir, upload));
      try {
        const { size } = await handle.stat();
        return size > mediaLimits.fileBytes ? null : await handle.readFile();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error;
      return null;
    }
  }
}
