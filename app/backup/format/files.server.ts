import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type AppError, codeOf } from '#app/platform/errors.ts';
import { openRegular } from '#app/platform/files/disk.server.ts';
import { refusal } from './manifest.ts';

const CHUNK_BYTES = 1 << 18;
/** Limit of a line, longer than any row that the forms allow (2 MB of text, escaped twice). */
const LONGEST_LINE_BYTES = 1 << 28;

/**
 * The files of a backup folder, by path below it.
 * @throws AppError `invalid_input` for anything but regular files and the folders in `expectedFolders`.
 */
export async function listBackup(
  inputDir: string,
  expectedFolders: ReadonlySet<string>,
): Promise<Set<string>> {
  const files = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await reading(folder || inputDir, () =>
      readdir(path.join(inputDir, folder), { withFileTypes: true }),
    );
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) throw refusal(name, 'it is a symbolic link');
      if (entry.isDirectory()) {
        if (!expectedFolders.has(name)) throw refusal(name, 'manifest.json does not name this folder');
        await visit(name);
      } else if (entry.isFile()) files.add(name);
      else throw refusal(name, 'it is not a regular file');
    }
  };
  await visit('');
  return files;
}

/** Reads a small file of a backup as text. */
export async function readText(inputDir: string, file: string): Promise<string> {
  const content = await reading(file, async () => {
    const handle = await openRegular(path.join(inputDir, file));
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  });
  if (!isUtf8(content)) throw refusal(file, 'it is not UTF-8 text');
  return content.toString('utf8');
}

export interface Line {
  /** Counts from 1. */
  number: number;
  text: string;
}

/**
 * The lines of a table file, without their LF.
 * @throws AppError `invalid_input`; also after the last line, when the file is not the one that the
 *   manifest describes.
 */
export async function* readLines(
  inputDir: string,
  { file, sha256 }: { file: string; sha256: string },
): AsyncGenerator<Line> {
  const hash = createHash('sha256');
  yield* linesOf(readChunks(inputDir, file, hash), file);
  if (hash.digest('hex') !== sha256) throw checksumRefusal(file);
}

/** The lines of a file's chunks, without their LF. @throws AppError `invalid_input` that names the file */
export async function* linesOf(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Line> {
  let number = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      if (end === -1) break;
      rest.push(chunk.subarray(start, end));
      const line = rest.length === 1 ? rest[0]! : Buffer.concat(rest);
      [rest, restBytes, start] = [[], 0, end + 1];
      number += 1;
      if (!isUtf8(line)) throw refusal(`${file}, line ${number}`, 'it is not UTF-8 text');
      yield { number, text: line.toString('utf8') };
    }
    if (start < chunk.length) {
      rest.push(Buffer.from(chunk.subarray(start)));
      restBytes += chunk.length - start;
    }
    if (restBytes > LONGEST_LINE_BYTES) throw refusal(`${file}, line ${number + 1}`, 'it is too long');
  }
  if (restBytes > 0) throw refusal(file, 'its last line has no end');
}

export function checksumRefusal(file: string): AppError {
  return refusal(file, 'its SHA-256 is not the one in manifest.json');
}

/** Runs a read. A system error becomes a refusal that names the file. */
export async function reading<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw refusal(file, 'it is missing');
    if (code === 'ELOOP') throw refusal(file, 'it is a symbolic link');
    if (code === 'EINVAL' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENXIO')
      throw refusal(file, code === 'ENOTDIR' ? 'it is not a folder' : 'it is not a regular file');
    if (code?.startsWith('E')) throw refusal(file, `it cannot be read (${code})`);
    throw error;
  }
}

// Each yielded chunk is overwritten by the next one.
async function* readChunks(inputDir: string, file: string, hash: Hash): AsyncGenerator<Buffer> {
  const handle = await reading(file, () => openRegular(path.join(inputDir, file)));
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await reading(file, () => handle.read(buffer, 0, buffer.length, null));
      if (bytesRead === 0) return;
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}
