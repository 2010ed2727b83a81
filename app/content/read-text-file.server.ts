import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#app/platform/errors.ts';

// A string of Node holds half a billion characters; Ghost's own importer takes no larger files either.
const MAX_BYTES = 400 * 1024 * 1024;

/** @throws AppError `invalid_input` when there is no such file, or it is too large. */
export async function readTextFile(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new AppError('invalid_input', `There is no file ${file}.`);
  if (found.size > MAX_BYTES)
    throw new AppError('invalid_input', `${file} is too large: at most ${MAX_BYTES / 1024 / 1024} MB.`);
  return new TextDecoder().decode(await readFile(file));
}
