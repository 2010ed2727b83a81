import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#app/platform/errors.ts';

// A string of Node holds half a billion characters; Ghost's own importer takes no larger files either.
const MAX_BYTES = 400 * 1024 * 1024;

/** @throws AppError `invalid_input` when there is no such file, or it is too large. */
export async function readTextFile(file: string): Promise<string> {
  if ((await sizeOfFile(file)) > MAX_BYTES)
    throw new AppError('invalid_input', `${file} is too large: at most ${MAX_BYTES / 1024 / 1024} MB.`);
  const bytes = await readFile(file);
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** UTF-16 for a file that begins with its byte order mark, as programs of Windows write it; otherwise UTF-8. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Characters that XML forbids. Exports of old blogs contain them. */
export const forbiddenInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** Like `readTextFile`, without characters that XML forbids. */
export async function readXmlFile(file: string): Promise<string> {
  return (await readTextFile(file)).replace(forbiddenInXml, '');
}

/** @throws AppError `invalid_input` when there is no such file. */
export async function sizeOfFile(file: string): Promise<number> {
  const stats = await stat(file).catch(() => null);
  if (stats?.isDirectory()) throw new AppError('invalid_input', `${file} is a folder: name a file in it.`);
  if (!stats?.isFile()) throw new AppError('invalid_input', `There is no file ${file}.`);
  return stats.size;
}
