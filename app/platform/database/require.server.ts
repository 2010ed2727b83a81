import { statSync } from 'node:fs';
import { codeOf } from '#app/platform/errors.ts';
import type { DatabaseTarget } from '../env.server.ts';
import { AppError } from '../errors.ts';
import type { Database } from './client.server.ts';
import { databaseFailure } from './failure.server.ts';
import { isMigrated } from './migrations.server.ts';

/**
 * Checks, before a command does anything, that the database exists and fits the code.
 * @throws AppError that says what is wrong and which command helps
 */
export async function requireDatabase(db: Database, target: DatabaseTarget): Promise<void> {
  // Opening the database would create an empty file.
  if (target.dialect === 'sqlite' && isMissing(target.file))
    throw new AppError('unavailable', noDatabase(target.file));
  const migrated = await isMigrated(db, target.dialect).catch((error: unknown) => {
    throw databaseFailure(error);
  });
  if (!migrated)
    throw new AppError('conflict', 'The database lacks migrations of this version. Run: npm run db:migrate');
}

/** True if there is no such file. A file in a folder that this user may not read is not missing. */
export function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');
  }
}

/** What to do about a missing file: `db:migrate` alone would put an empty site in the place of one that is elsewhere. */
export const noDatabase = (file: string): string =>
  `There is no database ${file}. Correct DATABASE_URL, or mount its disk. For a new site, make it with: npm run db:migrate`;
