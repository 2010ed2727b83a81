import type { Dialect, Env } from '../env.server.ts';
import type { Transaction } from './client.server.ts';

export type JsonColumnType = 'text' | 'integer' | 'boolean' | 'time';

/** Characters of JSON in one statement: about a millisecond. */
const CHARACTERS_PER_STATEMENT = 250_000;
const ROWS_PER_STATEMENT = 50;

/**
 * Inserts many rows with one statement and one parameter. Measured: Prisma's `createMany` took ten times
 * as long, all of it with SQLite's one write lock held.
 * @param columns column → what the JSON holds; a time is ISO 8601 UTC with milliseconds
 * @param json a JSON list of objects with these columns as keys
 */
export async function insertJson(
  tx: Transaction,
  dialect: Dialect,
  table: string,
  columns: Readonly<Record<string, { type: JsonColumnType }>>,
  json: string,
): Promise<void> {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const into = `INSERT INTO "${table}" (${names.join(', ')})`;
  if (dialect === 'postgresql') {
    const rows = `json_populate_recordset(NULL::"${table}", $1::json)`;
    await tx.$executeRawUnsafe(`${into} SELECT ${names.join(', ')} FROM ${rows}`, json);
    return;
  }
  const values = Object.entries(columns).map(([name, { type }]) => {
    const value = `value ->> '$.${name}'`;
    // Prisma stores a time as text that ends in +00:00.
    return type === 'time' ? `replace(${value}, 'Z', '+00:00')` : value;
  });
  await tx.$executeRawUnsafe(`${into} SELECT ${values.join(', ')} FROM json_each(?)`, json);
}

/** Inserts many rows with few statements. */
export async function insertInSteps(
  app: { env: Pick<Env, 'database'> },
  tx: Transaction,
  table: string,
  columns: Readonly<Record<string, { type: JsonColumnType }>>,
  rows: Iterable<object>,
): Promise<void> {
  let lines: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (lines.length > 0)
      await insertJson(tx, app.env.database.dialect, table, columns, `[${lines.join(',')}]`);
    lines = [];
    characters = 0;
  };
  for (const row of rows) {
    const line = JSON.stringify(row);
    lines.push(line);
    characters += line.length;
    if (characters >= CHARACTERS_PER_STATEMENT || lines.length >= ROWS_PER_STATEMENT) await flush();
  }
  await flush();
}
