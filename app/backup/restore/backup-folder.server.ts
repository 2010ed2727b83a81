import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { manifestFile, mediaFolder, tablesFolder } from '#app/backup/format/manifest.ts';
import { isBackupName } from '#app/backup/write/place.server.ts';
import { AppError } from '#app/platform/errors.ts';

/**
 * Refuses common mistakes with a message that says what to do: a bucket, an encrypted backup, the folder that
 * `backup:run` fills, a missing folder. Other problems are found when the folder is read.
 * @throws AppError `invalid_input`
 */
export async function requireBackupFolder(inputDir: string): Promise<void> {
  if (/(^|\/)s3:\//.test(inputDir))
    throw refuseFolder(
      'A backup is read from a folder. Copy it from the bucket into one with any S3 tool, and name that.',
    );
  const inputStats = await stat(inputDir).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (inputStats === null) throw refuseFolder(`There is no folder ${inputDir}.`);
  if (!inputStats.isDirectory())
    throw refuseFolder(
      inputDir.endsWith('.age')
        ? `${inputDir} is encrypted. Decrypt it into a folder, and name that: mkdir restore && age -d -i key.txt ${inputDir} | tar -x -C restore (without -i key.txt where a passphrase opens it)`
        : `${inputDir} is a file. Name the folder of a backup.`,
    );
  const names = await readdir(inputDir);
  if (names.includes(manifestFile)) return;
  const newest = names.filter(isBackupName).sort().at(-1);
  if (newest) throw refuseFolder(nameOne(inputDir, path.join(inputDir, newest)));
  // The manifest is the last file that an export writes, but a copy may have been stopped before it.
  const isPart = names.includes(tablesFolder) || names.includes(mediaFolder);
  throw refuseFolder(
    isPart
      ? `${manifestFile}: it is missing. If ${inputDir} is a copy of a backup, copy the rest too.`
      : `${inputDir} is no backup: it has no ${manifestFile}. Name the folder that backup:export or backup:run made.`,
  );
}

/** What to do about a place of backups where one backup is wanted. */
export function nameOne(place: string, newest: string): string {
  return `${place} holds several backups. Name one of them; the newest is ${newest}`;
}

function refuseFolder(message: string): AppError {
  return new AppError('invalid_input', message);
}
