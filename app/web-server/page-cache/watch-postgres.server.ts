import type { App } from '#app/app.ts';
import { AppError } from '#app/platform/errors.ts';
import { listenForChanges } from './change-listener.server.ts';
import type { ContentChanges } from './content-changes.ts';
import { lookOf, VERSIONS_READ, type LookRow } from './content-look.ts';
import type { ContentWatch } from './content-watch.server.ts';

/** How long an answer may be trusted before the version is read again. */
const POLL_MS = 250;
/** How long PostgreSQL may take for the version before the reader is told that the site is down. */
const LOOK_MS = 3_000;

/** Looks with a query when a request comes and the last look is old, and at once when PostgreSQL tells of a change. */
export function watchPostgres(app: Pick<App, 'db'>, url: string, changes: ContentChanges): ContentWatch {
  let checkedAt = -Infinity;
  let check: Promise<number> | undefined;
  const look = async () => {
    const startedAt = performance.now();
    const since = changes.version;
    const rows = await inTime(
      app.db.$queryRaw<LookRow[]>`
        SELECT content_version AS "version", content_changes.version AS "changeVersion", keys
        FROM site_state LEFT JOIN content_changes
          ON content_changes.version > ${since} AND content_changes.version <= content_version
        ORDER BY content_changes.version LIMIT ${VERSIONS_READ + 1}`,
    );
    changes.take(lookOf(rows, since));
    return startedAt;
  };
  const expire = () => {
    checkedAt = -Infinity;
    check = undefined;
  };
  const version = () => {
    if (performance.now() - checkedAt < POLL_MS) return changes.version;
    if (check) return check;
    // A look that began before `expire` may have missed what was written: only whoever waits for it gets its answer.
    const mine: Promise<number> = look()
      .then((startedAt) => {
        if (check === mine) checkedAt = startedAt;
        return changes.version;
      })
      .finally(() => {
        if (check === mine) check = undefined;
      });
    check = mine;
    return mine;
  };
  const currentVersion = () => {
    expire();
    return version();
  };
  const listener = listenForChanges(url, (told) => {
    if (told !== null && told <= changes.version) return;
    // A failure shows itself to the next request, which looks by itself.
    void Promise.resolve(currentVersion()).catch(() => undefined);
  });
  return {
    changes,
    version,
    currentVersion,
    expire,
    reset() {
      changes.forget();
      expire();
    },
    close: () => listener.close(),
  };
}

async function inTime<T>(read: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('unavailable', `PostgreSQL did not answer within ${LOOK_MS} ms`);
    setTimeout(() => reject(error), LOOK_MS).unref();
  });
  return Promise.race([read, late]);
}
