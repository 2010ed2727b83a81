import { existsSync } from 'node:fs';
import type { Database } from './database.server.ts';
import type { DatabaseTarget } from './env.server.ts';
import { AppError } from './errors.ts';
import { databaseFailure } from './failure.server.ts';
import { isMigrated } from './migrations.server.ts';

/**
 * Checks, before a command does anything, that the database exists and fits the code.
 * @throws AppError that says what is wrong and which command helps
 */
export async function requireDatabase(db: Database, target: DatabaseTarget): Promise<void> {
  // Opening the database would create an empty file.
  if (target.dialect === 'sqlite' && !existsSync(target.file))
    throw new AppError(
      'unavailable',
      `There is no database ${target.file}. Make it with: npm run db:migrate`,
    );
  const migrated = await isMigrated(db, target.dialect).catch((error: unknown) => {
    throw databaseFailure(error);
  });
  if (!migrated)
    throw new AppError('conflict', 'The database lacks migrations of this version. Run: npm run db:migrate');
}
