import BetterSqlite3 from 'better-sqlite3';
import type { Db, Configured } from '#app/platform/services.ts';
import { writerUrl } from '#app/platform/database/postgres.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { isOnReadOnlyDisk } from '#app/platform/files/disk.server.ts';
import { CONTENT_CHANNEL } from '#app/platform/http/page-keys.ts';
import {
  readChangeRows,
  VERSIONS_READ,
  type ChangeRow,
  ContentChanges,
  type ContentWatch,
} from './content-changes.ts';

const CONNECT_MS = 5_000;
/** Waits between attempts to connect. The last one is repeated. */
const AGAIN_MS = [250, 1_000, 5_000, 15_000] as const;

/**
 * Listens on a PostgreSQL connection of its own for the content versions that changes announce. Connects again when the
 * connection breaks. Nothing depends on these hints, so failures are silent.
 * @param onHint gets the version; null after each connect, because versions may have been missed
 */
function listenForChanges(url: string, onHint: (version: number | null) => void): { close(): void } {
  let isClosed = false;
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let disconnect = () => {};

  async function connect(): Promise<void> {
    const { default: pg } = await import('pg');
    const writer = await Promise.resolve(writerUrl(url)).catch(() => null);
    if (isClosed) return;
    if (writer === null) return connectLater();
    const client = new pg.Client({
      connectionString: writer,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
      application_name: 'dateline listener',
    });
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      // Not awaited, because a server that hangs never answers it.
      void client.end().catch(() => undefined);
      connectLater();
    };
    disconnect = end;
    client.on('error', end);
    client.on('end', end);
    client.on('notification', ({ payload }) => onHint(Number(payload) || null));
    try {
      await client.connect();
      await client.query(`LISTEN ${CONTENT_CHANNEL}`);
      attempts = 0;
      onHint(null);
    } catch {
      end();
    }
  }

  function connectLater(): void {
    if (isClosed) return;
    const wait = AGAIN_MS[Math.min(attempts, AGAIN_MS.length - 1)];
    attempts += 1;
    timer = setTimeout(() => void connect(), wait).unref();
  }

  void connect();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      disconnect();
    },
  };
}

/** Milliseconds after which the version is read again. */
const POLL_MS = 250;
/**
 * Milliseconds for which a result is valid while that read is in progress: less than the second that the contract
 * allows.
 */
const TRUSTED_MS = 750;
/** How long PostgreSQL may take to return the version. Then the reader is told that the site is down. */
const READ_TIMEOUT_MS = 3_000;

/** How often the version is read without requests, so that cached pages can be shown in an outage. */
const IDLE_CHECK_MS = 60_000;

/** Reads the version when a request comes and the last check is old, and at once when PostgreSQL announces a change. */
export function watchPostgres(app: Db, url: string, changes: ContentChanges): ContentWatch {
  let checkedAt = -Infinity;
  /** When the last successful check began; unlike `checkedAt`, writes of this process do not reset it. */
  let succeededAt = -Infinity;
  let check: { began: number; version: Promise<number> } | undefined;
  const readChanges = async () => {
    const since = changes.version;
    const rows = await inTime(
      app.db.$queryRaw<ChangeRow[]>`
        SELECT content_version AS "version", content_changes.version AS "changeVersion", keys
        FROM site_state LEFT JOIN content_changes
          ON content_changes.version > ${since} AND content_changes.version <= content_version
        ORDER BY content_changes.version LIMIT ${VERSIONS_READ + 1}`,
    );
    changes.take(readChangeRows(rows, since));
  };
  /**
   * Counts calls of `expire`. A check that began before such a call may have missed a write, so later requests do not
   * use it.
   */
  let writes = 0;
  const expire = () => {
    writes += 1;
    checkedAt = -Infinity;
    check = undefined;
  };
  const begin = () => {
    const [began, writesBefore] = [performance.now(), writes];
    const version = readChanges()
      .then(() => {
        succeededAt = Math.max(succeededAt, began);
        if (writes === writesBefore) checkedAt = Math.max(checkedAt, began);
        return changes.version;
      })
      .finally(() => {
        if (check === mine) check = undefined;
      });
    // The waiting request, or the next one, reports a failure.
    version.catch(() => undefined);
    const mine = { began, version };
    check = mine;
    return mine;
  };
  const version = () => {
    const now = performance.now();
    const age = now - checkedAt;
    if (age < POLL_MS) return changes.version;
    // The result of a check is as old as the beginning of the check.
    const pending = check && now - check.began < POLL_MS ? check : begin();
    // On a busy machine a check takes long. If all requests waited for it, its result would be old at the end.
    return age < TRUSTED_MS ? changes.version : pending.version;
  };
  const checkAge = () => performance.now() - succeededAt;
  const idleCheck = setInterval(() => {
    // The next request reports a failure.
    if (changes.version >= 0 && checkAge() >= IDLE_CHECK_MS) begin();
  }, IDLE_CHECK_MS / 2).unref();
  const listener = listenForChanges(url, (announced) => {
    if (announced !== null && announced <= changes.version) return;
    expire();
    // The next request checks itself and reports a failure.
    void Promise.resolve(version()).catch(() => undefined);
  });
  return {
    changes,
    version,
    check: () => begin().version,
    expire,
    checkAge,
    reset() {
      changes.forget();
      expire();
    },
    close() {
      clearInterval(idleCheck);
      listener.close();
    },
  };
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(new AppError('unavailable', `PostgreSQL did not answer within ${READ_TIMEOUT_MS} ms`));
    timer = setTimeout(fail, READ_TIMEOUT_MS).unref();
  });
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}

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
function watchSqlite(file: string, changes: ContentChanges): ContentWatch {
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

/** Watches `site_state.content_version`, and reads the changes of each version, in a way that suits the database. */
export function watchContent(app: Db & Configured): ContentWatch {
  const { database } = app.env;
  const changes = new ContentChanges();
  return database.dialect === 'sqlite'
    ? watchSqlite(database.file, changes)
    : watchPostgres(app, database.url, changes);
}
