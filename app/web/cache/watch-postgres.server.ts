import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { listenForChanges } from './change-listener.server.ts';
import { readChangeRows, VERSIONS_READ, type ChangeRow } from './read-change-rows.ts';
import type { ContentChanges, ContentWatch } from './content-changes.ts';

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
export function watchPostgres(app: Pick<App, 'db'>, url: string, changes: ContentChanges): ContentWatch {
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
