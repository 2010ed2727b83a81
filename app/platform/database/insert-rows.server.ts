import type { Dialect, Env } from '#app/platform/env.server.ts';
import { columnOf } from '#app/platform/text/column-names.ts';
import type { Transaction } from './client.server.ts';

type Value = string | number | boolean | Date | null;

/**
 * Inserts rows with one statement. Prisma compiles a `createMany` again for each number of rows, which took a fifth of
 * the time of an import.
 * @param rows all with the same keys: names of fields, whose columns have the same names in snake case
 * @param onConflict what follows `ON CONFLICT`, for rows that may exist already
 */
export async function insertRows(
  tx: Transaction,
  table: string,
  rows: readonly Readonly<Record<string, Value>>[],
  onConflict?: string,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const columns = names.map((name) => `"${columnOf(name)}"`);
  const parts = [`INSERT INTO "${table}" (${columns.join(', ')}) VALUES (`];
  const end = onConflict ? `) ON CONFLICT ${onConflict}` : ')';
  for (const [row] of rows.entries())
    for (const [column] of names.entries()) {
      const isLast = column === names.length - 1;
      parts.push(isLast ? (row === rows.length - 1 ? end : '), (') : ', ');
    }
  const values = rows.flatMap((row) => names.map((name) => row[name] ?? null));
  await tx.$executeRaw(templateOf(parts), ...values);
}

/** The literal parts of a tagged template, for a statement whose length is not known beforehand. */
export function templateOf(parts: string[]): TemplateStringsArray {
  return Object.assign([...parts], { raw: parts });
}

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
