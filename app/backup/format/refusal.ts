import { AppError } from '#app/platform/errors.ts';

/** Why a backup is not accepted: one line that names the file and the reason. */
export function refusal(file: string, reason: string): AppError {
  return new AppError('invalid_input', `${file}: ${reason}.`);
}
