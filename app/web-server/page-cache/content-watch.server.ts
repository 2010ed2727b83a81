import BetterSqlite3 from 'better-sqlite3';
import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';

/** How long an answer may be trusted on PostgreSQL before the version is read again. */
const POLL_MS = 250;
/** How long PostgreSQL may take for the version before the reader is told that the site is down. */
const LOOK_MS = 3_000;
/** SQLite's own waiting holds the event loop, so it is short; whoever fails is answered by the slow path. */
const BUSY_MS = 50;

/** Tells whether public content has changed, in this process or any other. */
export interface ContentWatch {
  /**
   * The content version for a request that has just come in: exact on SQLite, on PostgreSQL at most 250 ms old
   * unless this process wrote. A number, without waiting, wherever that is possible.
   */
  version(): number | Promise<number>;
  /** The content version read at this moment, whenever that is. */
  currentVersion(): number | Promise<number>;
  /** Says that this process may have written; the next `version()` looks again. */
  expire(): void;
  /** Opens its connection anew: the one that it has may be to a file that was replaced. */
  reset(): void;
  close(): void;
}

/** libuv hands over so many events at once; when there are more it polls again within the same turn. */
const EVENTS_AT_ONCE = 1024;

/**
 * Watches `site_state.content_version` in the way that the database allows.
 * @param openConnections how many clients are connected now
 */
export function watchContent(app: Pick<App, 'db' | 'env'>, openConnections: () => number): ContentWatch {
  const { database } = app.env;
  if (database.dialect !== 'sqlite') return watchPostgres(app);
  // Half of them, since there are other events too.
  return watchSqlite(database.file, () => openConnections() < EVENTS_AT_ONCE / 2);
}

// `PRAGMA data_version` changes when any other connection commits. It costs a few microseconds, so it is asked once for
// all requests that the event loop found waiting together: each of them began before the first of them is answered.
function watchSqlite(file: string, mayShare: () => boolean): ContentWatch {
  let connection: ReturnType<typeof connect> | undefined;
  let seen: unknown;
  let current = -1;
  let isAsked = false;
  const forget = () => {
    isAsked = false;
  };
  const currentVersion = () => {
    // Opened at the first request: a server that starts before its database has a file still lives.
    connection ??= connect(file);
    const now = connection.dataVersion.get();
    if (now !== seen) {
      current = (connection.contentVersion.get() as number | undefined) ?? 0;
      seen = now;
    }
    return current;
  };
  return {
    version() {
      if (isAsked) return current;
      const version = currentVersion();
      if (mayShare()) {
        isAsked = true;
        // Runs right after the requests that were waiting, before the event loop looks for new ones.
        setImmediate(forget);
      }
      return version;
    },
    currentVersion,
    expire: forget,
    reset() {
      connection?.db.close();
      connection = undefined;
      seen = undefined;
      forget();
    },
    close: () => connection?.db.close(),
  };
}

function connect(file: string) {
  const db = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    return {
      db,
      dataVersion: db.prepare('PRAGMA data_version').pluck(),
      contentVersion: db.prepare('SELECT content_version FROM site_state').pluck(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function watchPostgres(app: Pick<App, 'db'>): ContentWatch {
  let current = -1;
  let checkedAt = -Infinity;
  let check: Promise<number> | undefined;
  const look = async () => {
    const startedAt = performance.now();
    const row = await inTime(
      app.db.siteState.findUnique({ where: { id: 1 }, select: { contentVersion: true } }),
    );
    return { read: row?.contentVersion ?? 0, startedAt };
  };
  const expire = () => {
    checkedAt = -Infinity;
    check = undefined;
  };
  const version = () => {
    if (performance.now() - checkedAt < POLL_MS) return current;
    if (check) return check;
    // A look that began before `expire` may have missed what was written: only whoever waits for it gets its answer.
    const mine: Promise<number> = look()
      .then(({ read, startedAt }) => {
        if (check === mine) [current, checkedAt] = [read, startedAt];
        return read;
      })
      .finally(() => {
        if (check === mine) check = undefined;
      });
    check = mine;
    return mine;
  };
  return {
    version,
    currentVersion() {
      expire();
      return version();
    },
    expire,
    reset: expire,
    close() {},
  };
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('unavailable', `PostgreSQL did not answer within ${LOOK_MS} ms`);
    setTimeout(() => reject(error), LOOK_MS).unref();
  });
  return Promise.race([read, late]);
}
