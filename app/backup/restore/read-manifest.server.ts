import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { readText } from '#app/backup/format/files.server.ts';
import {
  manifestFile,
  mediaFolder,
  tablesFolder,
  foldersAbove,
  formatVersion,
  manifestSchema,
  tableFile,
  type Manifest,
  refusal,
} from '#app/backup/format/manifest.ts';
import { compareBytes } from '#app/backup/format/rows.ts';
import { businessTables } from '#app/backup/format/tables.ts';
import { isBackupName } from '#app/backup/write/place.server.ts';
import { foldPath } from '#app/media/library/path.ts';
import { codeMigrationTag, migrationsOf, laterVersion } from '#app/platform/database/migrations.server.ts';
import { invalidInput } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';

/**
 * Refuses common mistakes with a message that says what to do: a bucket, an encrypted backup, the folder that
 * `backup:run` fills, a missing folder. Other problems are found when the folder is read.
 * @throws AppError `invalid_input`
 */
async function requireBackupFolder(inputDir: string): Promise<void> {
  if (/(^|\/)s3:\//.test(inputDir))
    throw invalidInput(
      'A backup is read from a folder. Copy it from the bucket into one with any S3 tool, and name that.',
    );
  const inputStats = await stat(inputDir).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (inputStats === null) throw invalidInput(`There is no folder ${inputDir}.`);
  if (!inputStats.isDirectory())
    throw invalidInput(
      inputDir.endsWith('.age')
        ? `${inputDir} is encrypted. Decrypt it into a folder, and name that: mkdir restore && age -d -i key.txt ${inputDir} | tar -x -C restore (without -i key.txt where a passphrase opens it)`
        : `${inputDir} is a file. Name the folder of a backup.`,
    );
  const names = await readdir(inputDir);
  if (names.includes(manifestFile)) return;
  const newest = names.filter(isBackupName).sort().at(-1);
  if (newest) throw invalidInput(nameOne(inputDir, path.join(inputDir, newest)));
  // The manifest is the last file that an export writes, but a copy may have been stopped before it.
  const isPart = names.includes(tablesFolder) || names.includes(mediaFolder);
  throw invalidInput(
    isPart
      ? `${manifestFile}: it is missing. If ${inputDir} is a copy of a backup, copy the rest too.`
      : `${inputDir} is no backup: it has no ${manifestFile}. Name the folder that backup:export or backup:run made.`,
  );
}

/** What to do about a place of backups where one backup is wanted. */
export function nameOne(place: string, newest: string): string {
  return `${place} holds several backups. Name one of them; the newest is ${newest}`;
}

/**
 * Reads the manifest and makes every check that needs no other file.
 * @throws AppError `invalid_input`
 */
export async function readManifest(inputDir: string): Promise<Manifest> {
  await requireBackupFolder(inputDir);
  const text = await readText(inputDir, manifestFile);
  const json = parseJson(text);
  if (json === undefined) throw refuse('it is not JSON');
  requireFormat(json);
  const { success, data: manifest, error } = manifestSchema.safeParse(json);
  if (!success) throw refuse(reasonOf(error.issues[0]!));
  requireMigration(manifest);
  if (!isWritten(manifest, text)) throw refuse('it is not written the way a backup writes it');
  requireTables(manifest);
  requireMedia(manifest);
  if (manifest.secretPolicy === 'included' && manifest.redactedSecretKeys.length > 0)
    throw refuse('it names redacted secrets, but says that secrets are included');
  return manifest;
}

/** True for the text that a backup has, and for the same with the indentation of another tool. */
function isWritten(manifest: Manifest, text: string): boolean {
  return [2, 0, 4, '\t'].some((indent) => JSON.stringify(manifest, null, indent) === text.trimEnd());
}

// Checked first, so that a newer format is not reported as damage.
function requireFormat(json: unknown): void {
  const format = z.looseObject({ formatVersion: z.unknown() }).safeParse(json);
  if (!format.success) throw refuse('it is not a manifest');
  if (format.data.formatVersion !== formatVersion)
    throw refuse(
      `its format is ${JSON.stringify(format.data.formatVersion)}, this version of Dateline reads format ${formatVersion}`,
    );
}

function requireMigration({ migrationTag, application }: Manifest): void {
  const migrationNames = migrationsOf('sqlite').map(({ name }) => name);
  if (migrationNames.includes(migrationTag)) return;
  const made = `the backup was made at migration ${migrationTag} (${application.name} ${application.version})`;
  const code = migrationNames.at(-1)!;
  throw refuse(
    migrationTag > code
      ? `${made}, which is newer than this version's ${code}. Install ${laterVersion(application.version)}, and import it there`
      : `${made}, which this version of Dateline does not know. Import it with the version that made it, then upgrade and run npm run db:migrate`,
  );
}

/** False for a backup of an older version. */
export function isCurrent({ migrationTag }: Manifest): boolean {
  return migrationTag === codeMigrationTag();
}

function requireTables(manifest: Manifest): void {
  const { tables, restoreOrder } = manifest;
  const names = tables.map(({ name }) => name);
  // An older backup may have other tables: the scratch database at the backup's migration checks which.
  const expectedNames = isCurrent(manifest) ? businessTables.map(({ name }) => name) : null;
  const isKnown = (name: string) => expectedNames?.includes(name) ?? /^[a-z][a-z0-9_]*$/.test(name);
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) throw refuse(`the table ${JSON.stringify(unknown)} is unknown`);
  const missing = expectedNames?.find((name) => !names.includes(name));
  if (missing !== undefined) throw refuse(`the table ${missing} is missing`);
  if (new Set(names).size !== names.length) throw refuse('a table is listed twice');
  if (expectedNames && String(restoreOrder) !== String(expectedNames))
    throw refuse('its restore order does not work');
  if (String(names) !== String(expectedNames ?? restoreOrder))
    throw refuse('its tables are not in restore order');
  for (const { name, file } of tables)
    if (file !== tableFile(name)) throw refuse(`the file of ${name} must be ${tableFile(name)}`);
}

function requireMedia({ media }: Manifest): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  let last: string | undefined;
  for (const { path } of media) {
    if (last !== undefined && compareBytes(last, path) >= 0)
      throw refuse(`${path} is listed twice, or out of order`);
    last = path;
    const folded = foldPath(path);
    if (files.has(folded)) throw refuse(`${path} differs from another file only in upper and lower case`);
    files.add(folded);
    for (const folder of foldersAbove(folded)) folders.add(folder);
  }
  const both = media.find(({ path }) => folders.has(foldPath(path)));
  if (both) throw refuse(`${both.path} is both a file and a folder`);
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `the key "${issue.keys[0]}" is unknown`;
  const field = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${field}${issue.message}`;
}

function refuse(reason: string) {
  return refusal(manifestFile, reason);
}
