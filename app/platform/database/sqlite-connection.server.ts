import type { ColumnType, SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { asAdapterError, columnTypes, declaredType, fromSqlite, toSqlite } from './sqlite-conversion.ts';

const STATEMENTS_MAX = 500;
/** `SELECT *`, `SELECT p.*`; not `count(*)`. */
const allColumns = /(?:\bSELECT\s+|\.|,\s*)\*/i;
/** Longer statements, such as lists of a thousand values, are hardly ever repeated. */
const CHARACTERS_MAX = 8_000;

interface Columns {
  names: string[];
  declared: (ColumnType | null)[];
}

interface Compiled {
  statement: BetterSqlite3.Statement<unknown[]>;
  /** The columns of a statement that names them. */
  columns?: Columns;
}

/**
 * A connection to a SQLite file that takes Prisma's statements. Caches its compiled statements: Prisma sends the same
 * ones again and again, and compiling them took a third of the time of a page's reads (measured).
 */
export class SqliteConnection {
  readonly client: BetterSqlite3.Database;
  readonly #compiled = new LRUCache<string, Compiled>({ max: STATEMENTS_MAX });

  constructor(file: string) {
    // timeout 0: SQLite's own busy handler would sleep on the event loop.
    this.client = new BetterSqlite3(file, { timeout: 0 });
    // A number cannot contain every integer of 64 bits.
    this.client.defaultSafeIntegers(true);
  }

  /** False for a statement that writes. @throws better-sqlite3's error for one that does not compile */
  isReadOnly(sql: string): boolean {
    return this.#compile(sql).statement.readonly;
  }

  /** Runs a statement and returns its rows. @throws DriverAdapterError */
  query({ sql, args, argTypes }: SqlQuery): SqlResultSet {
    return this.#converted(() => {
      const compiled = this.#compile(sql);
      const { statement } = compiled;
      const values = args.map((value, index) => toSqlite(value, argTypes[index]!));
      if (!statement.reader) {
        statement.run(values);
        return { columnNames: [], columnTypes: [], rows: [] };
      }
      const rows = statement.all(values) as unknown[][];
      // After the rows: SQLite compiles a statement again when it runs after a change of the tables.
      const { names, declared } = columnsOf(compiled);
      const types = columnTypes(declared, rows);
      for (const row of rows)
        for (let index = 0; index < row.length; index += 1)
          row[index] = fromSqlite(row[index], types[index]!);
      return { columnNames: names, columnTypes: types, rows };
    });
  }

  /** Runs a statement and returns the number of rows that it changed. @throws DriverAdapterError */
  execute({ sql, args, argTypes }: SqlQuery): number {
    return this.#converted(() => {
      const values = args.map((value, index) => toSqlite(value, argTypes[index]!));
      return this.#compile(sql).statement.run(values).changes;
    });
  }

  /** Runs a statement without values. @throws better-sqlite3's error */
  run(sql: string): void {
    const { statement } = this.#compile(sql);
    if (statement.reader) statement.get();
    else statement.run();
  }

  /** Runs several statements. @throws DriverAdapterError */
  runScript(script: string): void {
    this.#converted(() => this.client.exec(script));
  }

  close(): void {
    this.client.close();
  }

  #compile(sql: string): Compiled {
    const known = this.#compiled.get(sql);
    if (known) return known;
    const statement = this.client.prepare<unknown[]>(sql);
    const compiled = { statement: statement.reader ? statement.raw() : statement };
    if (sql.length <= CHARACTERS_MAX) this.#compiled.set(sql, compiled);
    return compiled;
  }

  #converted<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asAdapterError(error);
    }
  }
}

// A migration may add columns while the server runs. It changes no existing column (decision 025).
function columnsOf(compiled: Compiled): Columns {
  if (compiled.columns) return compiled.columns;
  const columns = compiled.statement.columns();
  const read = {
    names: columns.map(({ name }) => name),
    declared: columns.map(({ type }) => declaredType(type)),
  };
  if (!allColumns.test(compiled.statement.source)) compiled.columns = read;
  return read;
}
