import path from 'node:path';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { replacedTables, tableCatalogue } from '#app/backup/format/tables.ts';
import { delegateOf } from '#app/backup/write/snapshot.server.ts';
import { holdAfterImport } from '#app/effects/manage.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { keepErased } from '#app/newsletter/subscribers.server.ts';
import { newId } from '#app/platform/clock.ts';
import type { Database, Transaction } from '#app/platform/database/client.server.ts';
import { asDatabaseFailure } from '#app/platform/database/failure.server.ts';
import { AppError, messageOf, asFullDisk, invalidInput } from '#app/platform/errors.ts';
import type { Db } from '#app/platform/services.ts';
import { type PublishingContext, replacePublicContent } from '#app/publishing/change/public-change.server.ts';
import { drainOutbox } from '#app/search/drain.server.ts';
import { reindexPosts } from '#app/search/reindex.server.ts';
import { finishImports, stageMedia, STAGING_PREFIX } from './staging.server.ts';
import { restoreAuditLog, type RestoredSecrets, restoreRows } from './restore-rows.server.ts';
import { type CheckedBackup, withCheckedBackup } from './verify-backup.server.ts';

/** An instance with rows in one of these tables is in use. Seeded settings do not count. */
const telling = ['users', 'posts', 'categories', 'tags', 'media'] as const;

/** Posts in one call to the search engine. */
const REINDEX_BATCH = 200;

export interface ImportInput {
  inputDir: string;
  /** Replaces the content of an instance that is not empty. */
  force?: boolean;
  /** Rebuilds the search index afterwards instead of updating it post by post. */
  reindexSearch?: boolean;
  onProgress?: ReportProgress;
}

export interface ImportResult extends RestoredSecrets {
  inputDir: string;
  importedTableCount: number;
  restoredMediaFileCount: number;
  reindexedSearch: boolean;
  /** The migration of a backup that an older version made. */
  migratedFrom?: string;
  /** Entries that the audit log beside the backup added to this instance's. */
  restoredAuditEntries?: number;
}

type Restored = RestoredSecrets & Pick<ImportResult, 'restoredAuditEntries'>;

/**
 * Replaces the instance's content by a backup's. Everything is checked before anything is written; rows
 * and files then change together or not at all, also when the process is killed at any point.
 * @throws AppError `invalid_input` for a backup that does not verify; `conflict` when the instance is not
 *   empty and `force` is not given; `not_configured` when the backup holds secrets and `AUTH_SECRET` is missing;
 *   `unavailable` while another import or an export runs. Nothing is changed then.
 */
export async function importBackup(app: PublishingContext, input: ImportInput): Promise<ImportResult> {
  const inputDir = path.resolve(input.inputDir);
  const onProgress = input.onProgress ?? (() => {});
  if (await isInMediaFolder(app.mediaStore, inputDir))
    throw invalidInput('The backup is in the uploads folder, which an import replaces. Move it.');
  return withCheckedBackup(app, inputDir, onProgress, (backup) => importChecked(app, backup, input));
}

async function importChecked(
  app: PublishingContext,
  backup: CheckedBackup,
  input: ImportInput,
): Promise<ImportResult> {
  const { onProgress = () => {} } = input;
  const { inputDir, migratedFrom } = backup;
  if (backup.hasPlainSecrets && !app.env.authSecret)
    throw new AppError('not_configured', 'AUTH_SECRET is not configured');

  const restored = await withUploadsLock(app, 'exclusive', async () => {
    await finishImports(app);
    if (!input.force) await requireEmptyInstance(app);
    return replaceContent(app, backup, { force: input.force ?? false, onProgress });
  });
  return {
    inputDir,
    importedTableCount: backup.manifest.tables.length,
    restoredMediaFileCount: backup.manifest.media.length,
    ...restored,
    reindexedSearch: await followInSearch(app, { rebuild: input.reindexSearch }),
    ...(migratedFrom && { migratedFrom }),
  };
}

// Adds the new files beside the old ones. Replaces all rows and writes the journal in one commit. Then removes the old
// files.
async function replaceContent(
  app: PublishingContext,
  backup: CheckedBackup,
  options: { force: boolean; onProgress: ReportProgress },
): Promise<Restored> {
  const importName = `${STAGING_PREFIX}${newId(app.clock)}`;
  let restored: Restored;
  try {
    await stageMedia(app.mediaStore, importName, backup, options.onProgress).catch((error: unknown) => {
      throw asFullDisk(error, app.mediaStore.folder ?? app.mediaStore.address);
    });
    restored = await replacePublicContent(app, replacedTables, async (tx) => {
      if (!options.force) await requireEmptyTables(tx);
      const erased = await tx.subscriberErasure.findMany();
      const secrets = await restoreRows(app, tx, backup, options.onProgress);
      await keepErased(tx, erased);
      await holdAfterImport(app, tx);
      const { auditLog } = backup;
      const added = auditLog !== null && { restoredAuditEntries: await restoreAuditLog(app, tx, auditLog) };
      await writeJournal(app, tx, importName);
      return { ...secrets, ...added };
    });
  } catch (error) {
    await finishImports(app).catch((problem: unknown) =>
      app.log.warn({ reason: messageOf(problem) }, 'The next start cleans up after this import'),
    );
    throw error;
  }
  await finishImports(app).catch((error: unknown) => {
    const reason = messageOf(asDatabaseFailure(error));
    throw new AppError(
      'unavailable',
      `The backup is imported, but not all old files are removed and new ones in place (${reason}). The next start of a command or of the server completes it.`,
      { cause: error },
    );
  });
  return restored;
}

async function writeJournal(app: PublishingContext, tx: Transaction, journal: string): Promise<void> {
  const createdAt = app.clock.now();
  await tx.importJournal.upsert({
    where: { id: 1 },
    create: { id: 1, journal, createdAt },
    update: { journal, createdAt },
  });
}

// The content is imported already, so an unreachable engine is only a warning: the outbox holds every post.
async function followInSearch(app: PublishingContext, { rebuild = false }): Promise<boolean> {
  if (!rebuild) {
    await drainOutbox(app, 'command');
    return false;
  }
  try {
    await reindexPosts(app, { batchSize: REINDEX_BATCH });
    return true;
  } catch (error) {
    app.log.warn(
      { reason: messageOf(error) },
      'The search index was not rebuilt; a later trigger updates it',
    );
    return false;
  }
}

/** @throws AppError `conflict` when the instance has content or a file in the media store. */
async function requireEmptyInstance(app: Db & Stored): Promise<void> {
  await requireEmptyTables(app.db);
  for await (const { path } of app.mediaStore.list()) throw notEmpty(`a media file: ${path}`);
}

/** @throws AppError `conflict` when the database has content. */
async function requireEmptyTables(db: Database | Transaction): Promise<void> {
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
