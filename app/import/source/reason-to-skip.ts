import { isAppError } from '#app/platform/errors.ts';

/**
 * Why one item of a source is skipped while the import goes on.
 * @throws the error if it says nothing about the item, such as that of a disk or a database
 */
export function reasonToSkip(error: unknown): string {
  if (isAppError(error)) return error.message;
  // Parsers and writers of trees recurse, so nesting beyond the stack is an error of the item.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'It is nested too deeply.';
  throw error;
}
