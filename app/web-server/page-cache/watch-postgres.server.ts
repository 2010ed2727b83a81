import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { listenForChanges } from './change-listener.server.ts';
import type { ContentChanges } from './content-changes.ts';
import { lookOf, VERSIONS_READ, type LookRow } from './content-look.ts';
import type { ContentWatch } from './content-watch.server.ts';

/** After so long the version is read again. */
const POLL_MS = 250;
/** So long an answer is trusted while that read is under way: less than the second that the contract allows. */
const TRUSTED_MS = 750;
/** How long PostgreSQL may take for the version before the reader is told that the site is down. */
const LOOK_MS = 3_000;

/** Without requests it looks so often, so that an outage finds kept pages that were looked after. */
const IDLE_LOOK_MS = 60_000;

/** Looks with a query when a request comes and the last look is old, and at once when PostgreSQL tells of a change. */
export function watchPostgres(app: Pick<App, 'db'>, url: string, changes: ContentChanges): ContentWatch {
  let checkedAt = -Infinity;
  /** When the last look began that succeeded; unlike `checkedAt` it outlives what this process writes. */
  let lookedAt = -Infinity;
  let check: { began: number; version: Promise<number> } | undefined;
  const look = async () => {
    const since = changes.version;
    const rows = await inTime(
      app.db.$queryRaw<LookRow[]>`
        SELECT content_version AS "version", content_changes.version AS "changeVersion", keys
        FROM site_state LEFT JOIN content_changes
          ON content_changes.version > ${since} AND content_changes.version <= content_version
        ORDER BY content_changes.version LIMIT ${VERSIONS_READ + 1}`,
    );
    changes.take(lookOf(rows, since));
  };
  /** Counts `expire`: a look that began before it may have missed what was written, so it is trusted by nobody else. */
  let writes = 0;
  const expire = () => {
    writes += 1;
    checkedAt = -Infinity;
    check = undefined;
  };
  const begin = () => {
    const [began, writesBefore] = [performance.now(), writes];
    const version = look()
      .then(() => {
        lookedAt = Math.max(lookedAt, began);
        if (writes === writesBefore) checkedAt = Math.max(checkedAt, began);
        return changes.version;
      })
      .finally(() => {
        if (check === mine) check = undefined;
      });
    // A failure shows itself to whoever waits for it, or to the next request.
    version.catch(() => undefined);
    const mine = { began, version };
    check = mine;
    return mine;
  };
  const version = () => {
    const now = performance.now();
    const age = now - checkedAt;
    if (age < POLL_MS) return changes.version;
    // What a look finds is as old as its beginning.
    const looked = check && now - check.began < POLL_MS ? check : begin();
    // On a machine without time to spare a look takes long. Were all to wait for it, it would be old when it ends.
    return age < TRUSTED_MS ? changes.version : looked.version;
  };
  const currentVersion = () => {
    expire();
    return version();
  };
  const lookAge = () => performance.now() - lookedAt;
  const idleLook = setInterval(() => {
    // A failure shows itself to the next request.
    if (changes.version >= 0 && lookAge() >= IDLE_LOOK_MS) begin();
  }, IDLE_LOOK_MS / 2).unref();
  const listener = listenForChanges(url, (told) => {
    if (told !== null && told <= changes.version) return;
    // A failure shows itself to the next request, which looks by itself.
    void Promise.resolve(currentVersion()).catch(() => undefined);
  });
  return {
    changes,
    version,
    currentVersion,
    look: () => begin().version,
    expire,
    lookAge,
    reset() {
      changes.forget();
      expire();
    },
    close() {
      clearInterval(idleLook);
      listener.close();
    },
  };
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('unavailable', `PostgreSQL did not answer within ${LOOK_MS} ms`);
    setTimeout(() => reject(error), LOOK_MS).unref();
  });
  return Promise.race([read, late]);
}
