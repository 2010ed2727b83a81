import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  changedFileWarning,
  mediaFolder,
  missingFileWarning,
  type MediaEntry,
  auditLogName,
  auditLogTable,
  formatVersion,
  type Manifest,
  manifestFile,
  manifestText,
  tablesFolder,
} from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { differs, type NamedFile, compareBytes, lineOf, rowOf } from '#app/backup/format/rows.ts';
import type { SecretPolicy } from '#app/backup/format/secrets.server.ts';
import { isInMediaFolder } from '#app/media/library/is-in-media-folder.server.ts';
import { foldPath, isMediaPath } from '#app/media/library/path.ts';
import { withUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import { readStored } from '#app/media/store/content.server.ts';
import {
  FILES_AT_ONCE,
  type MediaStore,
  type StoredEntry,
  type Stored,
} from '#app/media/store/media-store.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import { codeMigrationTag } from '#app/platform/database/migrations.server.ts';
import { isAppError, messageOf, AppError, invalidInput } from '#app/platform/errors.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import { application } from '#app/platform/project.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
import { writeStream, FOLDER_MODE, writeLines, makeFolderAtomically } from './folder-writer.server.ts';
import { saveTables } from './snapshot.server.ts';

export interface SavedMedia {
  /** Sorted by path. */
  entries: MediaEntry[];
  warnings: string[];
}

/**
 * Copies the media files into a backup. A file that cannot be saved, or differs from its row, causes a warning.
 * @param named path → the file as its row describes it
 */
export async function saveMedia(
  store: MediaStore,
  backupDir: string,
  named: ReadonlyMap<string, NamedFile>,
  onProgress: ReportProgress = () => {},
): Promise<SavedMedia> {
  const listed: StoredEntry[] = [];
  for await (const entry of store.list()) listed.push(entry);
  listed.sort((a, b) => compareBytes(a.path, b.path));
  const folded = new Set<string>();
  const warnings: string[] = [];
  const mediaFiles = listed.filter(({ path: name, isFile }) => {
    const reason = skipReason({ name, isFile }, folded);
    if (reason) warnings.push(`uploads/${JSON.stringify(name).slice(1, -1)} was left out: ${reason}.`);
    else folded.add(foldPath(name));
    return !reason;
  });
  const entries: MediaEntry[] = [];
  let done = 0;
  await inParallel(mediaFiles, FILES_AT_ONCE, async ({ path: name }) => {
    try {
      const file = await writeStream(readStored(store, name), path.join(backupDir, mediaFolder, name));
      entries.push({ path: name, ...file });
    } catch (error) {
      if (!isAboutSource(error)) throw error;
      warnings.push(`uploads/${name} was left out: it cannot be read (${messageOf(error)}).`);
    }
    onProgress({ step: 'Copying media', done: (done += 1), total: mediaFiles.length });
  });
  entries.sort((a, b) => compareBytes(a.path, b.path));
  warnings.sort(compareBytes);
  return { entries, warnings: [...warnings, ...compare(entries, named)] };
}

function compare(entries: MediaEntry[], named: ReadonlyMap<string, NamedFile>): string[] {
  const saved = new Map(entries.map((entry) => [entry.path, entry]));
  const warnings: string[] = [];
  for (const [name, file] of [...named].sort(([a], [b]) => compareBytes(a, b))) {
    const entry = saved.get(name);
    if (!entry) warnings.push(missingFileWarning(name));
    else if (differs(entry, file)) warnings.push(changedFileWarning(name));
  }
  return warnings;
}

function skipReason(
  { name, isFile }: { name: string; isFile: boolean },
  folded: Set<string>,
): string | undefined {
  if (!isFile) return 'it is not a regular file';
  if (!isMediaPath(name)) return 'its name does not exist on every system';
  if (folded.has(foldPath(name))) return 'another file has the same name but for upper and lower case';
  return undefined;
}

// Only a failed read is a warning. A failed write, such as on a full disk, ends the export.
function isAboutSource(error: unknown): boolean {
  if (isAppError(error)) return error.code === 'not_found';
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall === 'read') return true;
  return syscall === 'open' && ['ENOENT', 'EACCES', 'EPERM', 'EIO'].includes(code ?? '');
}

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
    throw invalidInput('A backup below the uploads folder would be public. Name another folder.');

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
      await writeLines(path.join(folder, manifestFile), [manifestText(manifest)]);
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
