import path from 'node:path';
import { readLines, checksumRefusal, listBackup, reading } from '#app/backup/format/files.server.ts';
import {
  changedFileWarning,
  mediaFolder,
  missingFileWarning,
  type Manifest,
  refusal,
  foldersAbove,
  manifestFile,
  tablesFolder,
} from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import {
  differs,
  filesNamedBy,
  type NamedFile,
  isAscending,
  keyOf,
  parseLine,
  type BackupRow,
} from '#app/backup/format/rows.ts';
import { hasPlainSecret, isSecretSetting, secretNameOf } from '#app/backup/format/secrets.server.ts';
import { businessTables, type BusinessTable } from '#app/backup/format/tables.ts';
import { hashFile } from '#app/backup/write/folder-writer.server.ts';
import { requireSameMigration } from '#app/backup/write/snapshot.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { Db } from '#app/platform/services.ts';
import { definitionOf, settingKeys } from '#app/settings/catalogue.ts';
import { withMigratedTables } from './older-backup.server.ts';
import { isCurrent, readManifest } from './read-manifest.server.ts';
import { checkAuditLog } from './restore-rows.server.ts';

/**
 * Checks every row of a backup: its columns, key, unique values, references, files and secrets.
 * @throws AppError `invalid_input` that names the file, the line and the reason.
 */
async function checkRows(
  inputDir: string,
  manifest: Manifest,
  onProgress: ReportProgress,
): Promise<{ hasPlainSecrets: boolean }> {
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  const check = createRowCheck(manifest);
  let done = 0;
  for (const [index, table] of businessTables.entries()) {
    const entry = manifest.tables[index]!;
    let rows = 0;
    for await (const { number, text } of readLines(inputDir, entry)) {
      try {
        check.row(table, parseLine(table, text));
      } catch (error) {
        throw refusal(`${entry.file}, line ${number}`, messageOf(error));
      }
      rows += 1;
      if ((done += 1) % 500 === 0) onProgress({ step: 'Checking rows', done, total });
    }
    if (rows !== entry.rows)
      throw refusal(entry.file, `it has ${rows} rows, manifest.json says ${entry.rows}`);
  }
  onProgress({ step: 'Checking rows', done, total });
  return check.end();
}

// Keeps only what later rows are compared with: referenced ids and unique values.
function createRowCheck(manifest: Manifest) {
  const referredTables = new Set(businessTables.flatMap(({ references = {} }) => Object.values(references)));
  const ids = new Map([...referredTables].map((name) => [name, new Set<string>()]));
  const uniqueValues = new Map<string, Set<string>>();
  const namedFiles = new Map<string, NamedFile>();
  const redactedKeys: string[] = [];
  let hasPlainSecrets = false;
  let last: { table: BusinessTable; row: BackupRow } | undefined;

  return {
    row(table: BusinessTable, row: BackupRow): void {
      if (last?.table === table && !isAscending(table, last.row, row))
        throw new Error(`the key ${JSON.stringify(keyOf(table, row))} occurs twice, or not in order`);
      last = { table, row };
      for (const [column, target] of Object.entries(table.references ?? {}))
        if (row[column] !== null && !ids.get(target)!.has(String(row[column])))
          throw new Error(`column "${column}" names a row that ${target} does not have`);
      for (const column of table.unique ?? []) {
        if (row[column] === null) continue;
        const values = setIn(uniqueValues, `${table.name}.${column}`);
        if (values.has(String(row[column]))) throw new Error(`the ${column} of another row occurs again`);
        values.add(String(row[column]));
      }
      ids.get(table.name)?.add(String(row.id));
      if (table.name === 'media') for (const [name, file] of filesNamedBy(row)) namedFiles.set(name, file);
      hasPlainSecrets ||= hasPlainSecret(table.name, row, manifest.secretPolicy);
      if (table.name === 'settings' || table.name === 'webhooks')
        checkSecret(table.name, row, manifest, redactedKeys);
      if (table.name === 'settings') checkSetting(row);
    },

    end(): { hasPlainSecrets: boolean } {
      if (String(redactedKeys) !== String(manifest.redactedSecretKeys))
        throw refusal('manifest.json', 'it names other redacted secrets than tables/settings.jsonl');
      checkNamedFiles(namedFiles, manifest);
      return { hasPlainSecrets };
    },
  };
}

function checkSecret(
  table: 'settings' | 'webhooks',
  row: BackupRow,
  { secretPolicy }: Manifest,
  redactedKeys: string[],
): void {
  const isWebhook = table === 'webhooks';
  const isSecret = isWebhook || isSecretSetting(row.key);
  if (row.redacted) {
    if (secretPolicy === 'included') throw new Error('a secret is redacted, manifest.json says included');
    if (!isSecret) throw new Error(`the setting ${String(row.key)} is not a secret`);
    redactedKeys.push(secretNameOf(table, row));
  } else if (secretPolicy === 'redacted' && isSecret && (isWebhook ? row.secret : row.value) !== '')
    throw new Error('a secret is in plain text, but manifest.json says redacted');
}

function checkSetting({ key, value, redacted }: BackupRow): void {
  const known = settingKeys.find((name) => name === key);
  if (known === undefined || redacted) return;
  const { error } = definitionOf(known).schema.safeParse(value);
  if (error) throw new Error(`the setting ${known} is not valid: ${error.issues[0]!.message}`);
}

function checkNamedFiles(named: Map<string, NamedFile>, manifest: Manifest): void {
  const warnings = new Set(manifest.warnings);
  const entries = new Map(manifest.media.map((entry) => [entry.path, entry]));
  for (const [path, expected] of named) {
    const entry = entries.get(path);
    if (!entry && !warnings.has(missingFileWarning(path)))
      throw refusal(`${mediaFolder}/${path}`, 'tables/media.jsonl names it, but manifest.json does not');
    if (entry && differs(entry, expected) && !warnings.has(changedFileWarning(path)))
      throw refusal(`${mediaFolder}/${path}`, 'it is not the file that tables/media.jsonl describes');
  }
}

function setIn(sets: Map<string, Set<string>>, name: string): Set<string> {
  let set = sets.get(name);
  if (!set) sets.set(name, (set = new Set()));
  return set;
}

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
