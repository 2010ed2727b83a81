import type { App } from '#app/app.ts';
import { ContentChanges } from './content-changes.ts';
import { watchPostgres } from './watch-postgres.server.ts';
import { watchSqlite } from './watch-sqlite.server.ts';

/** Detects changes of public content, in this process or any other. */
export interface ContentWatch {
  /** The changes that were found so far. */
  readonly changes: ContentChanges;
  /**
   * Checks for a request that has just come in. Afterwards `changes` has every change whose POST this process has
   * answered. It may lack what other processes committed in the last 2 ms (SQLite), or usually 20 and at most 750 ms
   * (PostgreSQL). Returns the content version: as a number, without waiting, if possible.
   */
  version(): number | Promise<number>;
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

/** Watches `site_state.content_version`, and reads the changes of each version, in a way that suits the database. */
export function watchContent(app: Pick<App, 'db' | 'env'>): ContentWatch {
  const { database } = app.env;
  const changes = new ContentChanges();
  return database.dialect === 'sqlite'
    ? watchSqlite(database.file, changes)
    : watchPostgres(app, database.url, changes);
}
