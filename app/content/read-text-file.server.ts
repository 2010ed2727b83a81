import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#app/platform/errors.ts';

// A string of Node holds half a billion characters; Ghost's own importer takes no larger files either.
const MAX_BYTES = 400 * 1024 * 1024;

/** @throws AppError `invalid_input` when there is no such file, or it is too large. */
export async function readTextFile(file: string): Promise<string> {
  if ((await sizeOfFile(file)) > MAX_BYTES)
    throw new AppError('invalid_input', `${file} is too large: at most ${MAX_BYTES / 1024 / 1024} MB.`);
  return new TextDecoder().decode(await readFile(file));
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
