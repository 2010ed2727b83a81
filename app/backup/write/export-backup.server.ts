import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { auditLogName, auditLogTable } from '#app/backup/format/audit-log-file.ts';
import {
  formatVersion,
  type Manifest,
  manifestFile,
  manifestText,
  mediaFolder,
  tablesFolder,
} from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { lineOf, rowOf } from '#app/backup/format/rows.ts';
import type { SecretPolicy } from '#app/backup/format/secrets.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
import { FOLDER_MODE, writeLines } from './folder-writer.server.ts';
import { makeFolderAtomically } from './new-folder.server.ts';
import { saveMedia } from './save-media.server.ts';
import { saveTables } from './save-tables.server.ts';

const ROWS_AT_ONCE = 500;

export interface ExportInput {
  /** Missing or empty. */
  outputDir: string;
  /** Writes the values of secrets in plain text. */
  includeSecrets?: boolean;
  /** Writes the audit log into a file beside the folder. */
  auditLog?: boolean;
  onProgress?: ReportProgress;
}

export interface ExportResult {
  outputDir: string;
  manifestPath: string;
  secretPolicy: SecretPolicy;
  tableCount: number;
  mediaFileCount: number;
  warnings: string[];
  /** The audit log's file beside the folder, if requested. */
  auditLog?: string;
}

/**
 * Writes a backup (contract, section 6): the rows of one snapshot, then the files, then the manifest. The
 * folder appears complete or not at all. Others can write at the same time.
 * @throws AppError `conflict` when the folder is not empty or the database is at another migration,
 *   `not_configured` when secrets are included and `AUTH_SECRET` is missing, `unavailable` while an import runs.
 */
export async function exportBackup(
  app: Timed & Configured & Stored,
  input: ExportInput,
): Promise<ExportResult> {
  const { env } = app;
  const outputDir = path.resolve(input.outputDir);
  const secretPolicy: SecretPolicy = input.includeSecrets ? 'included' : 'redacted';
  if (input.includeSecrets && !env.authSecret)
    throw new AppError('not_configured', 'AUTH_SECRET is not configured');
  if (await isInMediaFolder(app.mediaStore, outputDir))
    throw new AppError(
      'invalid_input',
      'A backup below the uploads folder would be public. Name another folder.',
    );

  const auditLog = input.auditLog ? auditLogName(outputDir) : undefined;
  if (auditLog && existsSync(auditLog))
    throw new AppError('conflict', `${auditLog} exists. Remove it, or name another folder.`);

  const manifest = await withUploadsLock(app, 'shared', () =>
    makeFolderAtomically(outputDir, async (folder) => {
      const createdAt = app.clock.now().toISOString();
      await mkdir(path.join(folder, tablesFolder), { mode: FOLDER_MODE });
      await mkdir(path.join(folder, mediaFolder), { mode: FOLDER_MODE });
      const saved = await saveTables(app, folder, secretPolicy, input.onProgress);
      const media = await saveMedia(app.mediaStore, folder, saved.namedFiles, input.onProgress);
      const manifest: Manifest = {
        formatVersion,
        createdAt,
        application: { name: application.name, version: application.version },
        migrationTag: codeMigrationTag(),
        secretPolicy,
        redactedSecretKeys: saved.redactedSecretKeys,
        restoreOrder: saved.tables.map(({ name }) => name),
        tables: saved.tables,
        media: media.entries,
        warnings: media.warnings,
      };
      await writeLines(path.join(folder, manifestFile), (write) => write(manifestText(manifest)));
      if (auditLog) await placeAuditLog(app, path.join(folder, path.basename(auditLog)), auditLog);
      return manifest;
    }),
  );
  return {
    outputDir,
    manifestPath: path.join(outputDir, manifestFile),
    secretPolicy,
    tableCount: manifest.tables.length,
    mediaFileCount: manifest.media.length,
    warnings: manifest.warnings,
    ...(auditLog && { auditLog }),
  };
}

// Written in the unfinished folder, which the next export removes after a kill.
async function placeAuditLog(app: Db, unfinished: string, target: string): Promise<void> {
  await saveAuditLog(app, unfinished);
  await rename(unfinished, target);
}

/**
 * Writes the audit log as compressed JSON Lines, oldest first. An import of the backup beside it restores the entries.
 * @param target must not exist
 */
async function saveAuditLog(app: Db, target: string): Promise<void> {
  await pipeline(
    readRows(app.db),
    createGzip(),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

async function* readRows(db: Database): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const rows = await db.auditLog.findMany({
      where: { id: { gt: last } },
      orderBy: { id: 'asc' },
      take: ROWS_AT_ONCE,
    });
    for (const row of rows) yield `${lineOf(rowOf(auditLogTable, { ...row }))}\n`;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}
