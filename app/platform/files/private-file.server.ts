import { closeSync, fchownSync, openSync, statSync } from 'node:fs';
import path from 'node:path';

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
