import { closeSync, fchownSync, openSync, statSync, constants, accessSync } from 'node:fs';
import { mkdir, stat, open, type FileHandle, access, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeOf, AppError, isAppError } from '#app/platform/errors.ts';

/** Retries: another process may remove the folder while it is empty. */
const ATTEMPTS = 5;

/**
 * Creates a folder and its missing parents. Node's own `recursive` option never ends where the system refuses folders,
 * as below `/proc`.
 * @throws AppError `conflict` when a file has the folder's name or the name of a parent, or the system refuses a folder there
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  for (let attempt = 1; !(await tryMakeFolder(folder, mode)); attempt += 1) {
    if (attempt > ATTEMPTS) throw new AppError('conflict', `The folder ${folder} cannot be made there.`);
    await makeFolder(path.dirname(folder), mode);
  }
}

/** Creates a folder unless it exists. @returns false when its parent is missing */
async function tryMakeFolder(folder: string, mode: number | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return false;
    const existing = code === 'EEXIST' ? await stat(folder) : undefined;
    if (existing?.isDirectory()) return true;
    if (existing || code === 'ENOTDIR')
      throw new AppError('conflict', `${folder} is not a folder: a file is in its way.`);
    throw error;
  }
}

/**
 * Makes an empty file that only its owner reads and writes, unless there is one already. SQLite takes an empty file
 * for a new database, and gives the files beside it (`-wal`, `-shm`) the same mode and, where root opens it, the same
 * owner. So root gives the file to the owner of its folder: a command that an administrator runs as root would
 * otherwise leave locks that the server's user may not open.
 */
export function createPrivateFile(file: string): void {
  try {
    // Never opens an existing file: closing one that SQLite has open would end this process's locks on it.
    const made = openSync(file, 'wx', 0o600);
    try {
      const { uid, gid } = statSync(path.dirname(file));
      // Not by its name: the folder's owner may have put a link to another file there.
      if (process.geteuid?.() === 0) fchownSync(made, uid, gid);
    } finally {
      closeSync(made);
    }
  } catch {
    // The file exists, or it cannot be made; then SQLite reports the reason.
  }
}

/**
 * Opens a regular file for reading; does not block on a FIFO.
 * @throws the system's error, with `code` ELOOP for a link and EINVAL for what is not a regular file
 */
export async function openRegular(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await handle.stat();
  if (stat.isFile()) return handle;
  await handle.close();
  throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' });
}

/** Flushes the names in a folder to the disk, so that they survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** True when the disk of a file is mounted read-only. */
export function isOnReadOnlyDisk(file: string): boolean {
  try {
    accessSync(path.dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** A SQLite file that can be read, and what removes it when it is closed. */
interface ReadableFile {
  file: string;
  /** True for a copy: what is written to it would be lost. */
  isCopy: boolean;
  remove(): Promise<void>;
}

/**
 * A file that SQLite can open: on a read-only disk a copy. SQLite keeps locks and an index beside a file with a
 * write-ahead log, so it cannot open one where it can make no files.
 */
export async function readableFile(file: string): Promise<ReadableFile> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere || !isOnReadOnlyDisk(file)) return { file, isCopy: false, remove: () => Promise.resolve() };
  const folder = await mkdtemp(path.join(tmpdir(), 'dateline-read-only-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    // What the last process committed but did not copy into the file.
    await copyFile(`${file}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return { file: copy, isCopy: true, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

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
