import BetterSqlite3 from 'better-sqlite3';
import { isOnReadOnlyDisk } from '#app/platform/files/read-only-disk.server.ts';
import type { ContentChanges, ContentWatch } from './content-changes.ts';
import { readChangeRows, VERSIONS_READ, type ChangeRow } from './read-change-rows.ts';

/** Short, because SQLite's own waiting blocks the event loop. A request that fails here is answered by Express. */
const BUSY_MS = 50;

/**
 * Milliseconds for which requests share the result of a check, which takes about a twentieth of the time of a cached
 * page.
 */
const SHARED_MS = 2;

/**
 * Checks with `PRAGMA data_version`, which changes when any other connection commits. The check takes a few
 * microseconds.
 */
export function watchSqlite(file: string, changes: ContentChanges): ContentWatch {
  let connection: ReturnType<typeof connect> | undefined;
  let seen: unknown;
  let checkedAt = -Infinity;
  const expire = () => {
    checkedAt = -Infinity;
  };
  const check = () => {
    const began = performance.now();
    // Opened at the first request, so that a server can start before its database exists.
    if (connection === undefined) connection = connect(file);
    if (connection === null) {
      checkedAt = began;
      return changes.version;
    }
    const now = connection.dataVersion.get();
    if (now !== seen) {
      const since = changes.version;
      changes.take(readChangeRows(connection.changes.all({ since }) as ChangeRow[], since));
      seen = now;
    }
    checkedAt = began;
    return changes.version;
  };
  return {
    changes,
    version: () => (performance.now() - checkedAt < SHARED_MS ? changes.version : check()),
    check,
    expire,
    // An unreadable file may have been replaced by another.
    checkAge: () => Infinity,
    reset() {
      connection?.db.close();
      connection = undefined;
      seen = undefined;
      changes.forget();
      expire();
    },
    close: () => connection?.db.close(),
  };
}

/** @returns null for a file on a read-only disk that SQLite cannot open: nothing changes it, and the app reads a copy */
function connect(file: string) {
  if (isOnReadOnlyDisk(file)) return null;
  const db = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    return {
      db,
      dataVersion: db.prepare('PRAGMA data_version').pluck(),
      changes: db.prepare(`
        SELECT content_version AS version, content_changes.version AS changeVersion, keys
        FROM site_state LEFT JOIN content_changes
          ON content_changes.version > :since AND content_changes.version <= content_version
        ORDER BY content_changes.version LIMIT ${VERSIONS_READ + 1}`),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
