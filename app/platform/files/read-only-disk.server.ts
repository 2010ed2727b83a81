import { accessSync, constants } from 'node:fs';
import { access, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** True when the disk of a file is mounted read-only. */
export function isOnReadOnlyDisk(file: string): boolean {
  try {
    accessSync(path.dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** A SQLite file that can be read, and what removes it when it is closed. */
export interface ReadableFile {
  file: string;
  /** True for a copy: what is written to it would be lost. */
  isCopy: boolean;
  remove(): Promise<void>;
}

/**
 * A file that SQLite can open: on a read-only disk a copy. SQLite keeps locks and an index beside a file with a
 * write-ahead log, so it cannot open one where it can make no files.
 */
export async function readableFile(file: string): Promise<ReadableFile> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere || !isOnReadOnlyDisk(file)) return { file, isCopy: false, remove: () => Promise.resolve() };
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-read-only-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    // What the last process committed but did not copy into the file.
    await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return { file: copy, isCopy: true, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
