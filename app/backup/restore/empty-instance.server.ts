import { tableCatalogue } from '#app/backup/format/tables.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { AppError } from '#app/platform/errors.ts';
import type { Db } from '#app/platform/services.ts';

/** An instance with rows in one of these tables is in use. Seeded settings do not count. */
const telling = ['users', 'posts', 'categories', 'tags', 'media'] as const;

/** @throws AppError `conflict` when the instance has content or a file in the media store. */
export async function requireEmptyInstance(app: Db & Stored): Promise<void> {
  await requireEmptyTables(app.db);
  for await (const { path } of app.mediaStore.list()) throw notEmpty(`a media file: ${path}`);
}

/** @throws AppError `conflict` when the database has content. */
export async function requireEmptyTables(db: Database | Transaction): Promise<void> {
  for (const name of telling) {
    const count = await delegateOf(db, tableCatalogue[name]).count();
    if (count > 0) throw notEmpty(`rows in ${name}: ${count}`);
  }
}

function notEmpty(what: string): AppError {
  return new AppError(
    'conflict',
    `This instance is not empty (${what}). Use --force to replace its content.`,
  );
}
