import type { App } from '#app/app.ts';
import { ContentChanges } from './content-changes.ts';
import { watchPostgres } from './watch-postgres.server.ts';
import { watchSqlite } from './watch-sqlite.server.ts';

/** Detects changes of public content, in this process or any other. */
export interface ContentWatch {
  /** The changes that were found so far. */
  readonly changes: ContentChanges;
  /**
   * Checks for a request that has just come in. Afterwards `changes` is exact on SQLite; on PostgreSQL it is at most
   * 750 ms old, usually 250, or exact if this process wrote. Returns the content version: as a number, without waiting,
   * if possible.
   */
  version(): number | Promise<number>;
  /** Checks now, regardless of earlier checks. */
  currentVersion(): number | Promise<number>;
  /** Checks now, and keeps earlier results valid. For a page that has just been rendered. */
  check(): number | Promise<number>;
  /** Records that this process may have written, so that the next `version()` checks again. */
  expire(): void;
  /**
   * Milliseconds since the last successful check; Infinity if cached pages must not be shown without their database.
   */
  checkAge(): number;
  /** Opens its connection again and treats everything as changed: the database may have been replaced. */
  reset(): void;
  close(): void;
}

/** The number of events that libuv delivers at once. If there are more, it polls again within the same turn. */
const EVENTS_AT_ONCE = 1024;

/**
 * Watches `site_state.content_version`, and reads the changes of each version, in a way that suits the database.
 * @param openConnections how many clients are connected now
 */
export function watchContent(app: Pick<App, 'db' | 'env'>, openConnections: () => number): ContentWatch {
  const { database } = app.env;
  const changes = new ContentChanges();
  if (database.dialect !== 'sqlite') return watchPostgres(app, database.url, changes);
  // Half of the number, since there are other events too.
  return watchSqlite(database.file, changes, () => openConnections() < EVENTS_AT_ONCE / 2);
}
