import { closeSync, openSync } from 'node:fs';

/**
 * Makes an empty file that only its owner reads and writes, unless there is one already. SQLite takes an empty file
 * for a new database, and gives the files beside it (`-wal`, `-shm`) the same mode.
 */
export function createPrivateFile(file: string): void {
  try {
    // Never opens an existing file: closing one that SQLite has open would end this process's locks on it.
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // The file exists, or it cannot be made; then SQLite reports the reason.
  }
}
