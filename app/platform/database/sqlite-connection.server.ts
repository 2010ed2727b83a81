import {
  ColumnTypeEnum,
  DriverAdapterError,
  type ArgType,
  type ColumnType,
  type MappedError,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

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

const {
  Boolean,
  Bytes,
  Date: Day,
  DateTime,
  Double,
  Float,
  Int32,
  Int64,
  Json,
  Numeric,
  Text,
  Time,
} = ColumnTypeEnum;

const declaredTypes: Readonly<Record<string, ColumnType>> = {
  DECIMAL: Numeric,
  FLOAT: Float,
  DOUBLE: Double,
  'DOUBLE PRECISION': Double,
  NUMERIC: Double,
  REAL: Double,
  TINYINT: Int32,
  SMALLINT: Int32,
  MEDIUMINT: Int32,
  INT: Int32,
  INTEGER: Int32,
  SERIAL: Int32,
  INT2: Int32,
  BIGINT: Int64,
  'UNSIGNED BIG INT': Int64,
  INT8: Int64,
  DATETIME: DateTime,
  TIMESTAMP: DateTime,
  TIME: Time,
  DATE: Day,
  TEXT: Text,
  CLOB: Text,
  CHARACTER: Text,
  VARCHAR: Text,
  'VARYING CHARACTER': Text,
  NCHAR: Text,
  'NATIVE CHARACTER': Text,
  NVARCHAR: Text,
  BLOB: Bytes,
  BOOLEAN: Boolean,
  JSONB: Json,
};

/** The type of a column as it was declared; null for a computed column. */
function declaredType(name: string | null): ColumnType | null {
  return name === null ? null : (declaredTypes[name.toUpperCase()] ?? null);
}

/** The types of a result's columns. A column without a declared type gets that of its first value. */
function columnTypes(declared: readonly (ColumnType | null)[], rows: unknown[][]): ColumnType[] {
  return declared.map((type, index) => {
    if (type !== null) return type;
    const row = rows.find((values) => values[index] !== null);
    return row ? typeOf(row[index]) : Int32;
  });
}

function typeOf(value: unknown): ColumnType {
  if (typeof value === 'string') return Text;
  if (typeof value === 'bigint') return Int64;
  if (typeof value === 'number') return ColumnTypeEnum.UnknownNumber;
  return Bytes;
}

/** A value of SQLite as Prisma expects it. @param value an integer is a `bigint` */
function fromSqlite(value: unknown, type: ColumnType): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (type === DateTime) return new Date(number).toISOString();
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value !== 'number') return value;
  if (type === DateTime) return new Date(value).toISOString();
  return type === Int32 || type === Int64 ? Math.trunc(value) : value;
}

/** A statement's value as SQLite stores it. */
function toSqlite(value: unknown, { scalarType }: ArgType): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return timeText(value);
  if (typeof value !== 'string') return value;
  switch (scalarType) {
    case 'int':
      return Number.parseInt(value, 10);
    case 'float':
    case 'decimal':
      return Number.parseFloat(value);
    case 'bigint':
      return BigInt(value);
    case 'datetime':
      return timeText(new Date(value));
    case 'bytes':
      return Buffer.from(value, 'base64');
    default:
      return value;
  }
}

function timeText(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}

/** A failure of SQLite in Prisma's terms; anything else unchanged. */
function asAdapterError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return error;
  return new DriverAdapterError({ originalCode: code, originalMessage: message, ...mapped(code, message) });
}

function mapped(code: string, message: string): MappedError {
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY': {
      const columns = columnsIn(message);
      const table = columns?.[0]?.split('.').slice(0, -1).join('.') || undefined;
      return { kind: 'UniqueConstraintViolation', constraint: constraintOn(columns), table };
    }
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return { kind: 'NullConstraintViolation', constraint: constraintOn(columnsIn(message)) };
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
    case 'SQLITE_CONSTRAINT_TRIGGER':
      return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
  }
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' };
  const after = (text: string) => message.split(text).at(1);
  if (message.startsWith('no such table')) return { kind: 'TableDoesNotExist', table: after(': ') };
  if (message.startsWith('no such column')) return { kind: 'ColumnNotFound', column: after(': ') };
  if (message.includes('has no column named '))
    return { kind: 'ColumnNotFound', column: after('has no column named ') };
  return { kind: 'sqlite', extendedCode: 1, message };
}

/** The columns, with their tables, that the message of a failed constraint names. */
function columnsIn(message: string): string[] | undefined {
  return message.split('constraint failed: ').at(1)?.split(', ');
}

function constraintOn(columns: string[] | undefined): { fields: string[] } | undefined {
  return columns && { fields: columns.map((column) => column.split('.').pop()!) };
}
