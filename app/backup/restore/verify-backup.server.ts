import path from 'node:path';
import { checksumRefusal, listBackup, reading } from '#app/backup/format/files.server.ts';
import { foldersAbove } from '#app/backup/format/folders-above.ts';
import { manifestFile, mediaFolder, tablesFolder, type Manifest } from '#app/backup/format/manifest.ts';
import { requireSameMigration } from '#app/backup/format/migration-tag.server.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { refusal } from '#app/backup/format/refusal.ts';
import { hashFile } from '#app/backup/write/folder-writer.server.ts';
import type { Db } from '#app/platform/services.ts';
import { checkRows } from './check-rows.server.ts';
import { withMigratedTables } from './older-backup.server.ts';
import { isCurrent, readManifest } from './read-manifest.server.ts';
import { checkAuditLog } from './restore-audit-log.server.ts';

export interface VerifyResult {
  inputDir: string;
  valid: true;
  migrationTag: string;
  tableCount: number;
  mediaFileCount: number;
  rowCount: number;
}

/**
 * Makes every check that an import makes. Writes nothing.
 * @throws AppError `invalid_input` with one line that names the file and the reason; `conflict` when the
 *   database is at another migration.
 */
export async function verifyBackup(
  app: Db,
  input: { inputDir: string; onProgress?: ReportProgress },
): Promise<VerifyResult> {
  const inputDir = path.resolve(input.inputDir);
  return withCheckedBackup(app, inputDir, input.onProgress, async ({ manifest, migratedFrom }) => ({
    inputDir,
    valid: true,
    migrationTag: migratedFrom ?? manifest.migrationTag,
    tableCount: manifest.tables.length,
    mediaFileCount: manifest.media.length,
    rowCount: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  }));
}

/** A backup that passed every check, at the code's migration. */
export interface CheckedBackup {
  inputDir: string;
  /** The folder of the tables: `inputDir`, or a temporary folder with the migrated rows of an older backup. */
  tablesDir: string;
  manifest: Manifest;
  /** The migration of an older backup. */
  migratedFrom?: string;
  /** True when the backup contains plain secrets. An import encrypts them with the instance's `AUTH_SECRET`. */
  hasPlainSecrets: boolean;
  /** The file beside the folder that holds the audit log, if there is one. */
  auditLog: string | null;
}

/**
 * Runs `work` on a backup that passed every check. An older one is migrated in a scratch database first.
 * @throws as `verifyBackup`.
 */
export async function withCheckedBackup<T>(
  app: Db,
  inputDir: string,
  onProgress: ReportProgress = () => {},
  work: (backup: CheckedBackup) => Promise<T>,
): Promise<T> {
  const manifest = await readManifest(inputDir);
  await requireSameMigration(app.db);
  await checkFiles(inputDir, manifest, onProgress);
  const auditLog = await checkAuditLog(inputDir);
  const check = async (tablesDir: string, current: Manifest) => {
    const { hasPlainSecrets } = await checkRows(tablesDir, current, onProgress);
    return { inputDir, tablesDir, manifest: current, hasPlainSecrets, auditLog };
  };
  if (isCurrent(manifest)) return work(await check(inputDir, manifest));
  return withMigratedTables(inputDir, manifest, onProgress, async (tablesDir, current) =>
    work({ ...(await check(tablesDir, current)), migratedFrom: manifest.migrationTag }),
  );
}

async function checkFiles(inputDir: string, manifest: Manifest, onProgress: ReportProgress): Promise<void> {
  const files = [
    ...manifest.tables,
    ...manifest.media.map((entry) => ({ ...entry, file: `${mediaFolder}/${entry.path}` })),
  ];
  const folders = new Set([tablesFolder, mediaFolder, ...files.flatMap(({ file }) => foldersAbove(file))]);
  const present = await listBackup(inputDir, folders);
  present.delete(manifestFile);
  for (const { file } of files) if (!present.delete(file)) throw refusal(file, 'it is missing');
  for (const extra of present) throw refusal(extra, 'manifest.json does not name this file');

  let done = 0;
  for (const { file, bytes, sha256 } of files) {
    const actual = await reading(file, () => hashFile(path.join(inputDir, file)));
    if (actual.bytes !== bytes)
      throw refusal(file, `it has ${actual.bytes} bytes, manifest.json says ${bytes}`);
    if (actual.sha256 !== sha256) throw checksumRefusal(file);
    onProgress({ step: 'Checking files', done: (done += 1), total: files.length });
  }
}
