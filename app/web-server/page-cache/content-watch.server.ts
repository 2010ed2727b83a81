import type { App } from '#app/app.ts';
import { ContentChanges } from './content-changes.ts';
import { watchPostgres } from './watch-postgres.server.ts';
import { watchSqlite } from './watch-sqlite.server.ts';

/** Tells whether public content has changed, in this process or any other. */
export interface ContentWatch {
  /** What has changed, as far as the looks have found. */
  readonly changes: ContentChanges;
  /**
   * Looks for a request that has just come in: afterwards `changes` is exact on SQLite, on PostgreSQL at most 750 ms
   * old, usually 250, unless this process wrote. Answers with the content version: a number, without waiting, wherever that is possible.
   */
  version(): number | Promise<number>;
  /** Looks at this moment, whenever that is. */
  currentVersion(): number | Promise<number>;
  /** Looks at this moment without doubting what was looked at before: for a page that has just been rendered. */
  look(): number | Promise<number>;
  /** Says that this process may have written; the next `version()` looks again. */
  expire(): void;
  /** Milliseconds since a look last succeeded; Infinity where kept pages must not outlive their database. */
  lookAge(): number;
  /** Opens its connection anew, and takes everything as changed: the database may have been replaced. */
  reset(): void;
  close(): void;
}

/** libuv hands over so many events at once; when there are more it polls again within the same turn. */
const EVENTS_AT_ONCE = 1024;

/**
 * Watches `site_state.content_version`, and reads what each version changed, in the way that the database allows.
 * @param openConnections how many clients are connected now
 */
export function watchContent(app: Pick<App, 'db' | 'env'>, openConnections: () => number): ContentWatch {
  const { database } = app.env;
  const changes = new ContentChanges();
  if (database.dialect !== 'sqlite') return watchPostgres(app, database.url, changes);
  // Half of them, since there are other events too.
  return watchSqlite(database.file, changes, () => openConnections() < EVENTS_AT_ONCE / 2);
}
