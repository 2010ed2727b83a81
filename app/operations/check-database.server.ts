import { isSkewed, readClockSkew, isMissing, noDatabase } from '#app/platform/database/health.server.ts';
import { databaseProblem } from '#app/platform/database/failure.server.ts';
import { isMigrated, migrationsOf } from '#app/platform/database/migrations.server.ts';
import type { Dialect } from '#app/platform/env.server.ts';
import type { Configured, Db, Timed } from '#app/platform/services.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

/** Whether the database exists and answers. */
export async function checkDatabase(app: Db & Configured): Promise<Finding> {
  const { database } = app.env;
  // Opening the database would create an empty file.
  if (database.dialect === 'sqlite' && isMissing(database.file)) return problem(noDatabase(database.file));
  try {
    await app.db.$queryRawUnsafe('SELECT 1');
  } catch (error) {
    const advice =
      database.dialect === 'sqlite'
        ? 'Check DATABASE_URL, and that this user may write the file and its folder.'
        : 'Check that it runs, DATABASE_URL and the rights of its user.';
    return problem(`${databaseProblem(error).replace(/\.$/, '')}. ${advice}`);
  }
  return ok(database.dialect === 'sqlite' ? 'SQLite answers.' : 'PostgreSQL answers.');
}

/** Whether all migrations of this version have been applied. */
export async function checkMigrations(app: Db & Configured): Promise<Finding> {
  if (await isMigrated(app.db, app.env.database.dialect))
    return ok('The database is at this version’s migration.');
  return problem('Migrations are missing or not finished. Run npm run db:migrate.');
}

// PostgreSQL does not use an index whose creation failed half-way.
const indexesOf: Record<Dialect, string> = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type = 'index'`,
  postgresql: `SELECT "class".relname AS name FROM pg_index JOIN pg_class AS "class" ON "class".oid = indexrelid
    WHERE indisvalid AND relnamespace = current_schema()::regnamespace`,
};

/** Without an index (dropped by hand, or missing in a restored dump) pages get slower with every post. */
export async function checkPlans(app: Db & Configured): Promise<Finding> {
  const { dialect } = app.env.database;
  const rows = await app.db.$queryRawUnsafe<{ name: string }[]>(indexesOf[dialect]);
  const present = new Set(rows.map(({ name }) => name));
  const missing = wantedIndexes(dialect).filter((name) => !present.has(name));
  if (missing.length > 0)
    return problem(
      `Indexes are missing or not valid: ${missing.join(', ')}. Their migrations in prisma/ say how to create them; drop one that is not valid first.`,
    );
  const unknown = dialect === 'postgresql' ? await tablesWithoutStatistics(app) : [];
  if (unknown.length > 0)
    return warning(
      `PostgreSQL has no statistics of ${unknown.join(', ')} and guesses its plans. Run ANALYZE in the database now, and see that autovacuum is on.`,
    );
  return ok(`${present.size} indexes; none that a query needs is missing.`);
}

// As after the restore of a dump. A table that was never counted has -1 rows; small ones are read whole anyway.
async function tablesWithoutStatistics(app: Db): Promise<string[]> {
  const tables = await app.db.$queryRawUnsafe<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples < 0
      AND relnamespace = current_schema()::regnamespace AND pg_relation_size(oid) >= 1000000 ORDER BY relname`,
  );
  return tables.map(({ name }) => name);
}

function wantedIndexes(dialect: Dialect): string[] {
  const names = new Set<string>();
  for (const { sql } of migrationsOf(dialect))
    for (const [, created, dropped] of sql.matchAll(
      /^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?"(\w+)"|^DROP INDEX (?:IF EXISTS )?"(\w+)"/gm,
    ))
      if (created) names.add(created);
      else names.delete(dropped!);
  return [...names];
}

/** Whether the host's clock agrees with the database's. */
export async function checkClock(app: Timed & Configured): Promise<Finding> {
  const skewMs = await readClockSkew(app);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (isSkewed(skewMs))
    return problem(
      `This host’s clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the database’s. Set both by NTP.`,
    );
  return ok('This host’s clock and the database’s agree.');
}
