import {
  ColumnTypeEnum,
  type ArgType,
  type ColumnType,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';
import type { Prisma, PrismaClient } from '#prisma/sqlite/generated/client.ts';
import type { DatabaseTarget } from '../env.server.ts';

/**
 * The property of a client that holds its driver. A registered symbol, since the server and Remix's build each have
 * this file.
 */
const DRIVER = Symbol.for('dateline.driver');

/** The driver below a client. */
export interface Driver {
  dialect: DatabaseTarget['dialect'];
  /** Connected by the client's first statement. */
  adapter?: SqlDriverAdapter;
}

interface Marked {
  [DRIVER]?: Driver & { client: object };
}

export function setDriver(client: object, driver: Driver): void {
  (client as Marked)[DRIVER] = Object.assign(driver, { client });
}

/** Null for a transaction, which has a connection of its own, and before the client is connected. */
function driverOf(db: object): Required<Driver> | null {
  const driver = (db as Marked)[DRIVER];
  return driver?.adapter && driver.client === db ? { ...driver, adapter: driver.adapter } : null;
}

const { DateTime, Int64, Text, Character, Int32, UnknownNumber, Boolean, Enum } = ColumnTypeEnum;
/** Column types whose values need no conversion. */
const plainTypes: ReadonlySet<unknown> = new Set([Text, Character, Int32, UnknownNumber, Boolean, Enum]);

/**
 * Reads rows with SQL of our own, directly from the driver: Prisma's own work for a statement costs ten times the
 * database's (measured). Within a transaction, and before the client is connected, Prisma runs the statement.
 */
export async function readRows<Row>(
  db: Pick<PrismaClient, '$queryRaw'>,
  statement: Prisma.Sql,
): Promise<Row[]> {
  const driver = driverOf(db);
  if (!driver) return db.$queryRaw<Row[]>(statement);
  const { columnNames, columnTypes, rows } = await driver.adapter.queryRaw({
    sql: driver.dialect === 'postgresql' ? statement.text : statement.sql,
    args: statement.values,
    argTypes: statement.values.map(argType),
  });
  const convert = columnTypes.map(converterOf);
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (const [index, value] of row.entries())
      named[columnNames[index]!] = value === null ? null : (convert[index]?.(value as string) ?? value);
    return named as Row;
  });
}

/** Converts a column's values as Prisma does. Undefined if they need no conversion. */
function converterOf(type: ColumnType): ((value: string) => unknown) | undefined {
  if (plainTypes.has(type)) return undefined;
  if (type === DateTime) return (value) => new Date(value);
  if (type === Int64) return BigInt;
  throw new Error(`Nothing is known of columns of type ${type}.`);
}

function argType(value: unknown): ArgType {
  if (value instanceof Date) return { scalarType: 'datetime', arity: 'scalar' };
  if (typeof value === 'number') return { scalarType: 'int', arity: 'scalar' };
  return { scalarType: 'string', arity: 'scalar' };
}
