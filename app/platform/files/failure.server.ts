import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError, isAppError } from '../errors.ts';

/**
 * Converts a refusal of the system about a file or folder, such as `EACCES: permission denied, mkdir '/x'`, to an error
 * for an operator: what cannot be done where, and what to do. Returns any other error unchanged.
 */
export function asFileFailure(error: unknown): unknown {
  if (isAppError(error) || !(error instanceof Error)) return error;
  const { code, syscall, path: source, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (code === undefined || syscall === undefined) return error;
  const message = messageFor(code, syscall, dest ?? source);
  return message === null ? error : new AppError('unavailable', message, { cause: error });
}

function messageFor(code: string, syscall: string, name: string | undefined): string | null {
  // A write to an open file names none.
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `There is no room left ${name ? `for ${name}` : 'on a disk'} (${code}). Make room there, and run it again.`;
  if (name === undefined) return null;
  if (syscall === 'mkdtemp' && path.dirname(name) === tmpdir())
    return `The folder for temporary files ${path.dirname(name)} cannot be used (${code}). Name another one in TMPDIR.`;
  if (code === 'ENOTDIR') return `${name} is a file, or below one (${code}). Correct the name.`;
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return null;
  if (syscall === 'mkdir')
    return `The folder ${name} cannot be made (${code}). Make it, and give it to the user who runs this command, or name another one.`;
  if (syscall === 'scandir')
    return `The folder ${name} cannot be read (${code}). Let the user who runs this command read it.`;
  return `${name} cannot be used (${code}). Give it and its folder ${path.dirname(name)} to the user who runs this command.`;
}
