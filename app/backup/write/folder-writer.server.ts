import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openRegular } from '#app/platform/files/regular-file.server.ts';

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
