// Development and tests only: the SQL of a new migration.
import Database from 'better-sqlite3';
import { differenceFromModels } from './schema-engine.ts';

const EMPTY = '-- This is an empty migration.';

/**
 * The SQL that changes the database at `url` into the models. On SQLite Prisma copies a table to add a column, which
 * loses the table's triggers. If added columns and indexes alone make the difference, this adds them instead.
 * @param url of a scratch database, which the SQL may be tried on
 */
export async function migrationSql(url: string): Promise<string> {
  const sql = await differenceFromModels(url);
  if (!url.startsWith('file:') || !sql.includes('-- RedefineTables')) return sql;
  const database = new Database(url.slice('file:'.length));
  try {
    const indexes = database.prepare<[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'index'`,
    );
    const altered = withAddedColumns(sql, new Set(indexes.all().map(({ name }) => name)));
    database.exec(altered);
    return (await differenceFromModels(url)).trim() === EMPTY ? altered : sql;
  } catch (error) {
    // Such as a column that must have a value and has no default.
    if (error instanceof Database.SqliteError) return sql;
    throw error;
  } finally {
    database.close();
  }
}

/** Replaces the copies of tables by their new columns, and by those of their indexes that are new. */
function withAddedColumns(sql: string, indexes: ReadonlySet<string>): string {
  const [before = '', copies = ''] = sql.split('-- RedefineTables');
  const [tables = '', after = ''] = copies.split('PRAGMA defer_foreign_keys=OFF;');
  const columns = [
    ...tables.matchAll(/CREATE TABLE "new_(\w+)" \(\n([\s\S]*?)\n\);\nINSERT INTO "new_\w+" \(([^)]*)\)/g),
  ].flatMap(([, table, body = '', kept = '']) => {
    const lines = body.split('\n').map((line) => line.trim().replace(/,$/, ''));
    return lines.flatMap((line) => {
      const [, column] = /^"(\w+)" /.exec(line) ?? [];
      if (column === undefined || kept.includes(`"${column}"`)) return [];
      const key = lines.find(
        (one) => one.startsWith('CONSTRAINT') && one.includes(`FOREIGN KEY ("${column}")`),
      );
      const reference = key === undefined ? '' : ` ${key.slice(key.indexOf('REFERENCES'))}`;
      return [`ALTER TABLE "${table}" ADD COLUMN ${line}${reference};`];
    });
  });
  const created = [...tables.matchAll(/^CREATE (?:UNIQUE )?INDEX "(\w+)".*;$/gm)]
    .filter(([, name]) => !indexes.has(name!))
    .map(([statement]) => statement);
  return `${[before.trim(), ...columns, ...created, after.trim()].filter((part) => part !== '').join('\n')}\n`;
}
