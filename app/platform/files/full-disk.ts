import { AppError, codeOf, isAppError } from '#app/platform/errors.ts';

/** Converts a full disk or quota to an error that names the folder. Returns any other error unchanged. */
export function asFullDisk(error: unknown, folder: string): unknown {
  const code = codeOf((isAppError(error) && error.cause) || error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const message = `There is no room left in ${folder} (${code}). Make room there, and run it again; nothing half-written is left.`;
  return new AppError('unavailable', message, { cause: error });
}
