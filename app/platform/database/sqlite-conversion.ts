import {
  ColumnTypeEnum,
  DriverAdapterError,
  type ArgType,
  type ColumnType,
  type MappedError,
} from '@prisma/driver-adapter-utils';

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
export function declaredType(name: string | null): ColumnType | null {
  return name === null ? null : (declaredTypes[name.toUpperCase()] ?? null);
}

/** The types of a result's columns. A column without a declared type gets that of its first value. */
export function columnTypes(declared: readonly (ColumnType | null)[], rows: unknown[][]): ColumnType[] {
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
export function fromSqlite(value: unknown, type: ColumnType): unknown {
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
export function toSqlite(value: unknown, { scalarType }: ArgType): unknown {
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
export function asAdapterError(error: unknown): unknown {
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
