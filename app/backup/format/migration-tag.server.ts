import type { Transaction } from '#app/platform/database/client.server.ts';
import { codeMigrationTag, databaseMigrationTag } from '#app/platform/database/migrations.server.ts';
import { AppError } from '#app/platform/errors.ts';

/** @throws AppError `conflict` when the database is not at the code's migration. */
export async function requireSameMigration(db: Pick<Transaction, '$queryRaw'>): Promise<void> {
  const code = codeMigrationTag();
  const database = await databaseMigrationTag(db);
  if (database === code) return;
  throw new AppError(
    'conflict',
    database
      ? `The database is at migration ${database}, this version of Dateline at ${code}. Run npm run db:migrate.`
      : 'The database has no tables yet. Run npm run db:migrate.',
  );
}
