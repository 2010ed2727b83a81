import type { App } from '#app/app.ts';
import { ContentChanges, type ContentWatch } from './content-changes.ts';
import { watchPostgres } from './watch-postgres.server.ts';
import { watchSqlite } from './watch-sqlite.server.ts';

/** Watches `site_state.content_version`, and reads the changes of each version, in a way that suits the database. */
export function watchContent(app: Pick<App, 'db' | 'env'>): ContentWatch {
  const { database } = app.env;
  const changes = new ContentChanges();
  return database.dialect === 'sqlite'
    ? watchSqlite(database.file, changes)
    : watchPostgres(app, database.url, changes);
}
