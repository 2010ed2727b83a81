import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** Only the owner may read a backup: it holds password hashes. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

const CHUNK_BYTES = 1 << 18;

export interface WrittenFile {
  bytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

/** Adds a line and its LF. */
export type WriteLine = (line: string) => Promise<void>;

/**
 * Writes a text file of the lines that `fill` gives, computes its hash and flushes it to the disk.
 * @throws when the file exists
 */
export async function writeLines(
  file: string,
  fill: (write: WriteLine) => Promise<void>,
): Promise<WrittenFile> {
  const handle = await open(file, 'wx', FILE_MODE);
  const hash = createHash('sha256');
  let bytes = 0;
  let waiting: string[] = [];
  let waitingLength = 0;
  const flush = async () => {
    const chunk = Buffer.from(waiting.join(''));
    waiting = [];
    waitingLength = 0;
    bytes += chunk.length;
    hash.update(chunk);
    await handle.writeFile(chunk);
  };
  try {
    await fill(async (line) => {
      waiting.push(line, '\n');
      waitingLength += line.length + 1;
      if (waitingLength >= CHUNK_BYTES) await flush();
    });
    await flush();
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Copies a regular file, computes its hash and flushes the copy to the disk.
 * @param target must not exist; its folder is made
 * @throws the system's error, with `code` ELOOP for a link and EINVAL for what is not a regular file
 */
export async function copyFile(source: string, target: string, mode = FILE_MODE): Promise<WrittenFile> {
  const from = await openRegular(source);
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE });
    const to = await open(target, 'wx', mode);
    try {
      const written = await readAll(from, (chunk) => to.writeFile(chunk));
      await to.sync();
      return written;
    } catch (error) {
      await unlink(target);
      throw error;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Size and hash of a regular file; throws as `copyFile` does. */
export async function hashFile(file: string): Promise<WrittenFile> {
  const handle = await openRegular(file);
  try {
    return await readAll(handle);
  } finally {
    await handle.close();
  }
}

/** Opens a regular file for reading; refuses links, and does not block on a FIFO. */
export async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' });
}

/** Flushes the names in a folder to the disk, so that they survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readAll(
  handle: FileHandle,
  take: (chunk: Buffer) => Promise<unknown> | undefined = () => undefined,
): Promise<WrittenFile> {
  const hash: Hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await take(chunk);
    bytes += bytesRead;
  }
}
