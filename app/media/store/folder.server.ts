import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, lstat, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '#app/platform/errors.ts';
import { makeFolder, openRegular, syncFolder } from '#app/platform/files/disk.server.ts';
import { checking } from './content.server.ts';
import {
  isHidden,
  type ByteRange,
  type MediaContent,
  type MediaStore,
  type StoredEntry,
  type StoredFacts,
  type StoredRead,
} from './media-store.ts';

/** A file has such a name while it is written, and is renamed when it is complete. */
const UNFINISHED = '.unfinished-';
/** Another process may remove a folder that has just become empty. */
const PLACE_ATTEMPTS = 5;

/** Error codes for a missing file, and for a file system without (more) links for a file. */
const noLink = new Set(['ENOENT', 'ENOTDIR', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

/** Media files in a folder, which may be a mount point and is never renamed. */
export class FileStore implements MediaStore {
  readonly address: string;
  readonly folder: string;

  private readonly modes: { file: number; folder: number };

  /** @param isPrivate only the owner may read the files */
  constructor(folder: string, { isPrivate = false } = {}) {
    this.folder = folder;
    this.modes = isPrivate ? { file: 0o600, folder: 0o700 } : { file: 0o644, folder: 0o777 };
    this.address = `file:${folder}`;
  }

  async put(name: string, content: MediaContent): Promise<void> {
    const temporary = this.at(UNFINISHED + randomUUID());
    await makeFolder(this.folder, this.modes.folder);
    try {
      const handle = await open(temporary, 'wx', this.modes.file);
      try {
        await pipeline(content.open(), checking(name, content), handle.createWriteStream({ flush: true }));
      } finally {
        await handle.close();
      }
      await this.place(temporary, name);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async copy(from: string, to: string): Promise<boolean> {
    const temporary = this.at(UNFINISHED + randomUUID());
    try {
      await link(this.at(from), temporary);
    } catch (error) {
      if (noLink.has(codeOf(error) ?? '')) return false;
      throw error;
    }
    try {
      await this.place(temporary, to);
      return true;
    } finally {
      // A rename to another link of the same file leaves both names.
      await rm(temporary, { force: true });
    }
  }

  async get(name: string, range?: ByteRange): Promise<StoredRead | null> {
    const handle = await unlessMissing(openRegular(this.at(name)), null);
    if (!handle) return null;
    try {
      return { bytes: (await handle.stat()).size, body: handle.createReadStream(range) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async signedAddress(): Promise<null> {
    return null;
  }

  async head(name: string): Promise<StoredFacts | null> {
    const stats = await unlessMissing(lstat(this.at(name)), null);
    return stats?.isFile() ? { bytes: stats.size } : null;
  }

  async *list(prefix = ''): AsyncGenerator<StoredEntry> {
    const above = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* this.visit(above.replace(/\/$/, ''), prefix);
  }

  async delete(name: string): Promise<void> {
    await unlessMissing(rm(this.at(name)), undefined);
    for (let folder = path.dirname(name); folder !== '.'; folder = path.dirname(folder)) {
      try {
        await rmdir(this.at(folder));
      } catch {
        return; // not empty, or gone already
      }
    }
  }

  async check(): Promise<void> {
    // With the dot a file is refused, which may have the same rights.
    await access(`${this.folder}/.`, constants.R_OK | constants.W_OK);
  }

  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    for (const name of names.filter((each) => each.startsWith(UNFINISHED))) {
      const stats = await unlessMissing(stat(this.at(name)), null);
      if (stats === null || stats.mtimeMs > before.getTime()) continue;
      await rm(this.at(name), { force: true });
      removed += 1;
    }
    return removed;
  }

  close(): void {}

  private at(name: string): string {
    return path.join(this.folder, name);
  }

  private async *visit(folder: string, prefix: string): AsyncGenerator<StoredEntry> {
    for (const entry of await unlessMissing(readdir(this.at(folder), { withFileTypes: true }), [])) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!name.startsWith(prefix) || isHidden(name, prefix)) continue;
      if (entry.isDirectory()) {
        yield* this.visit(name, prefix);
        continue;
      }
      const stats = await unlessMissing(lstat(this.at(name)), null);
      if (stats) yield { path: name, bytes: stats.size, isFile: entry.isFile() };
    }
  }

  // The name itself must reach the disk before a row points to the file.
  private async place(temporary: string, name: string): Promise<void> {
    const target = this.at(name);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await makeFolder(path.dirname(target), this.modes.folder);
        await rename(temporary, target);
        return await syncFolder(path.dirname(target));
      } catch (error) {
        if (attempt === PLACE_ATTEMPTS || codeOf(error) !== 'ENOENT') throw error;
      }
    }
  }
}

/** The result of a file operation, or `fallback` without a regular file. A file that cannot be read is an error. */
async function unlessMissing<T, Fallback>(operation: Promise<T>, fallback: Fallback): Promise<T | Fallback> {
  try {
    return await operation;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EINVAL') return fallback;
    throw error;
  }
}
