import { readFile, stat } from 'node:fs/promises';
import { AppError } from '#app/platform/errors.ts';
import { encodingOf } from './read-text-file.server.ts';

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
    throw new AppError('invalid_input', 'The file cannot be opened.', { cause: error });
  }
  throw textTooLarge();
}

/** The error for a text of more than `TEXT_MAX_BYTES`. */
export function textTooLarge(): AppError {
  return new AppError('invalid_input', 'The file is too large: at most 16 MB.');
}

/** @throws AppError `invalid_input` for a text that is neither UTF-8 nor UTF-16 with its byte order mark */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_input', 'The file is not UTF-8 text.');
  }
}
