import { AppError } from '#app/platform/errors.ts';

/** The answer to a form whose `intent` none of its buttons sends. */
export function unknownIntent(): AppError {
  return new AppError('invalid_input', 'This action is unknown. Use one of the buttons.');
}
