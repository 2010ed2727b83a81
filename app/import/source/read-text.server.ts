import { readFile, stat } from 'node:fs/promises';
import { type AppError, invalidInput } from '#app/platform/errors.ts';

// A string of Node holds half a billion characters; Ghost's own importer takes no larger files either.
const MAX_BYTES = 400 * 1024 * 1024;

/** @throws AppError `invalid_input` when there is no such file, or it is too large. */
export async function readTextFile(file: string): Promise<string> {
  if ((await sizeOfFile(file)) > MAX_BYTES)
    throw invalidInput(`${file} is too large: at most ${MAX_BYTES / 1024 / 1024} MB.`);
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
  if (stats?.isDirectory()) throw invalidInput(`${file} is a folder: name a file in it.`);
  if (!stats?.isFile()) throw invalidInput(`There is no file ${file}.`);
  return stats.size;
}

/** A larger text is refused. */
export const TEXT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * A file as text, with its byte order mark.
 * @throws AppError `invalid_input` for a file that is too large, cannot be opened or is not text
 */
export async function readText(file: string): Promise<string> {
  return decodeText(await readFileUpTo(file));
}

async function readFileUpTo(file: string): Promise<Buffer> {
  try {
    if ((await stat(file)).size <= TEXT_MAX_BYTES) return await readFile(file);
  } catch (error) {
    // Also a file whose name is not UTF-8: Node lists it under a name that does not exist.
    throw invalidInput('The file cannot be opened.', error);
  }
  throw textTooLarge();
}

/** The error for a text of more than `TEXT_MAX_BYTES`. */
export function textTooLarge(): AppError {
  return invalidInput('The file is too large: at most 16 MB.');
}

/** @throws AppError `invalid_input` for a text that is neither UTF-8 nor UTF-16 with its byte order mark */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput('The file is not UTF-8 text.');
  }
}
