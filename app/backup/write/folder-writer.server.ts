import { createHash, type Hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, unlink, type FileHandle, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { takeFileLock } from '#app/platform/database/process-lock.server.ts';
import { AppError, codeOf, asFullDisk } from '#app/platform/errors.ts';
import { makeFolder, openRegular, syncFolder } from '#app/platform/files/disk.server.ts';

/** Only the owner may read a backup: it holds password hashes. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

const CHUNK_BYTES = 1 << 18;

interface WrittenFile {
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** Writes a text file of these lines as `writeStream` does. */
export function writeLines(
  file: string,
  lines: AsyncIterable<string> | readonly string[],
): Promise<WrittenFile> {
  return writeStream(chunksOfLines(lines), file);
}

async function* chunksOfLines(lines: AsyncIterable<string> | readonly string[]): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_BYTES) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}

/**
 * Writes a new file from a stream, computes its hash and flushes it to the disk.
 * @param target must not exist; its folder is made
 */
export async function writeStream(source: AsyncIterable<Buffer>, target: string): Promise<WrittenFile> {
  await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE });
  const to = await open(target, 'wx', FILE_MODE);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      await to.writeFile(chunk);
    }
    await to.sync();
  } catch (error) {
    await unlink(target);
    throw error;
  } finally {
    await to.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Size and hash of a regular file; throws as `openRegular` does. */
export async function hashFile(file: string): Promise<WrittenFile> {
  const handle = await openRegular(file);
  try {
    return await readAll(handle);
  } finally {
    await handle.close();
  }
}

async function readAll(handle: FileHandle): Promise<WrittenFile> {
  const hash: Hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

const PREFIX = '.dateline-export-';
const LOCK_SUFFIX = '.lock';

/**
 * Creates a folder that appears complete or not at all: `fill` writes into a temporary folder beside it, which is
 * renamed at the end. Removes what a killed run left beside it.
 * @throws AppError `conflict` when the folder exists and is not empty, `unavailable` on a full disk.
 */
export async function makeFolderAtomically<T>(
  folder: string,
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  await refuseUnlessFree(folder);
  const parent = path.dirname(folder);
  await makeFolder(parent);
  await removeAbandoned(parent);
  const temporary = path.join(parent, `${PREFIX}${randomBytes(6).toString('hex')}`);
  const lockFile = `${temporary}${LOCK_SUFFIX}`;
  // SQLite, which takes the lock, does not say why it cannot make the file.
  await writingIn(parent, () => writeFile(lockFile, '', { mode: 0o600 }));
  const lock = await takeFileLock(lockFile, 'exclusive', 5_000);
  try {
    await mkdir(temporary, { mode: FOLDER_MODE });
    const result = await fill(temporary);
    await syncFolder(temporary);
    await moveInto(temporary, folder);
    await syncFolder(parent);
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw asFullDisk(error, parent);
  } finally {
    await rm(lockFile, { force: true });
    await lock?.release();
  }
}

/**
 * Runs `write`, the first write into a folder that the operator names.
 * @throws AppError `conflict` where this process may not write there, `unavailable` on a full disk
 */
export async function writingIn<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw asFullDisk(error, folder);
    const message = `The folder ${folder} cannot be written (${code}). Give it to the user who runs this command, or name another one.`;
    throw new AppError('conflict', message, { cause: error });
  }
}

async function refuseUnlessFree(folder: string): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    const code = codeOf(error);
    // ENOTDIR: it is a file, or below one.
    if (code === 'ENOTDIR' && existsSync(folder))
      throw new AppError('conflict', `${folder} exists and is not a folder.`);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw error;
  }
  if (entries.length > 0)
    throw new AppError('conflict', `The folder ${folder} is not empty. Name a new or an empty one.`);
}

async function moveInto(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder); // replaces an empty folder only
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EBUSY' || code === 'EXDEV')
      throw new AppError('conflict', `${folder} is a mount point. Name a folder below it.`);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR')
      throw new AppError('conflict', `Something was put at ${folder} meanwhile. Name another folder.`);
    throw error;
  }
}

// A running export holds the lock beside its temporary folder. The system releases the lock when the process ends.
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX) || !name.endsWith(LOCK_SUFFIX)) continue;
    const lockFile = path.join(parent, name);
    const lock = await takeFileLock(lockFile, 'exclusive', 0);
    if (!lock) continue;
    await rm(lockFile.slice(0, -LOCK_SUFFIX.length), { recursive: true, force: true });
    await rm(lockFile, { force: true });
    await lock.release();
  }
}
