import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { auditLogName } from '#app/backup/format/audit-log-file.ts';
import {
  formatVersion,
  manifestFile,
  manifestText,
  mediaFolder,
  tablesFolder,
} from '#app/backup/format/manifest.ts';
import type { Manifest } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import type { SecretPolicy } from '#app/backup/format/secrets.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { AppError } from '#app/platform/errors.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
import { FOLDER_MODE, writeLines } from './folder-writer.server.ts';
import { makeFolderAtomically } from './new-folder.server.ts';
import { saveAuditLog } from './save-audit-log.server.ts';
import { saveMedia } from './save-media.server.ts';
import { saveTables } from './save-tables.server.ts';

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
