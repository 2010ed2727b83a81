import { AppError } from '#app/platform/errors.ts';

/** The error for a post that was deleted or moved to the trash meanwhile. */
export function postNotFound(): AppError {
  return new AppError('not_found', 'This post no longer exists.');
}
