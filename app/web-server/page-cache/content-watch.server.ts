import type { App } from '#app/app.ts';
import { ContentChanges } from './content-changes.ts';
import { watchPostgres } from './watch-postgres.server.ts';
import { watchSqlite } from './watch-sqlite.server.ts';

/** Detects changes of public content, in this process or any other. */
export interface ContentWatch {
  /** The changes that were found so far. */
  readonly changes: ContentChanges;
  /**
   * Checks for a request that has just come in: afterwards `changes` is exact on SQLite, on PostgreSQL at most 750 ms
   * old, usually 250, unless this process wrote. Answers with the content version: a number, without waiting,
   * wherever that is possible.
   */
  version(): number | Promise<number>;
  /** Checks at this moment, whatever was checked before. */
  currentVersion(): number | Promise<number>;
  /** Checks at this moment, and keeps earlier results valid: for a page that has just been rendered. */
  check(): number | Promise<number>;
  /** Records that this process may have written; the next `version()` checks again. */
  expire(): void;
  /** Milliseconds since the last successful check; Infinity where cached pages must not outlive their database. */
  checkAge(): number;
  /** Opens its connection again, and takes everything as changed: the database may have been replaced. */
  reset(): void;
  close(): void;
}

/** libuv delivers this many events at once; when there are more it polls again within the same turn. */
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
