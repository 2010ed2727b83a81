import * as z from 'zod';
import { invalidInput } from '#app/platform/errors.ts';
import { parseJson } from '#app/platform/json.ts';
import { variantsOf } from './columns.ts';
import type { MediaEntry } from './manifest.ts';
import type { BusinessTable } from './tables.ts';

export type Value = string | number | boolean | null;

/** A row as a backup holds it: column → value, times as ISO 8601 UTC text. */
export type BackupRow = Record<string, Value>;

/** A row as the database client gives it: field → value. */
export type DatabaseRecord = Record<string, Value | Date>;

/** A database record as a backup row, its columns in catalogue order. */
export function rowOf(table: BusinessTable, record: DatabaseRecord): BackupRow {
  const entries = Object.keys(table.columns).map((column) => {
    const value = record[fieldOf(column)]!;
    return [column, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(entries) as BackupRow;
}

/** A row as a line: JSON without spaces, keys in column order, no line end. */
export function lineOf(row: BackupRow): string {
  return JSON.stringify(row);
}

/**
 * Reads a line that `lineOf` wrote.
 * @throws AppError `invalid_input` with the reason, such as `this is not JSON`.
 */
export function parseLine(table: BusinessTable, line: string): BackupRow {
  const json = parseJson(line);
  if (json === undefined) throw invalidInput('this is not JSON');
  const data = checkedRow(table, json);
  // A row has exactly one form, so a repeated key, another number format or an extra space is refused.
  if (lineOf(data) !== line) throw invalidInput('this is not written the way a backup writes it');
  return data;
}

/**
 * Checks that a row fits its table.
 * @throws AppError `invalid_input` with the reason, such as `column "id" is not text`.
 */
export function checkedRow(table: BusinessTable, candidate: unknown): BackupRow {
  const redacted = typeof candidate === 'object' && candidate !== null && 'redacted' in candidate;
  const { success, data, error } = schemasOf(table)[redacted ? 'redacted' : 'whole'].safeParse(candidate);
  if (!success) throw invalidInput(reasonOf(error.issues[0]!, candidate));
  return data;
}

/** The primary key of a row as one text, for messages and comparison. */
export function keyOf(table: BusinessTable, row: BackupRow): string {
  return table.key.map((column) => String(row[column])).join(' ');
}

/**
 * Whether the key of `after` follows that of `before`: texts in the order of their UTF-8 bytes, numbers by value.
 */
export function isAscending(table: BusinessTable, before: BackupRow, after: BackupRow): boolean {
  for (const column of table.key) {
    const [left, right] = [before[column], after[column]];
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : compareBytes(String(left), String(right));
    if (order !== 0) return order < 0;
  }
  return false;
}

/** Orders texts as SQLite and PostgreSQL's "C" collation do: by the bytes of their UTF-8 form. */
export function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rankOf(left.charCodeAt(index)) - rankOf(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

// Surrogates encode characters past U+FFFF, which UTF-8 sorts after all others.
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** `published_at` → `publishedAt`. */
export function fieldOf(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface Schemas {
  whole: z.ZodType<BackupRow>;
  redacted: z.ZodType<BackupRow>;
}

const schemas = new Map<string, Schemas>();

function schemasOf(table: BusinessTable): Schemas {
  let tableSchemas = schemas.get(table.name);
  if (!tableSchemas) {
    const shape = Object.entries(table.columns).map(([column, { schema }]) => [column, schema] as const);
    const redactedShape = shape.map(([column, schema]) =>
      column === table.redactable ? (['redacted', z.literal(true)] as const) : ([column, schema] as const),
    );
    tableSchemas = {
      whole: strict(shape),
      redacted: table.redactable ? strict(redactedShape) : strict(shape),
    };
    schemas.set(table.name, tableSchemas);
  }
  return tableSchemas;
}

function strict(shape: readonly (readonly [string, z.ZodType])[]): z.ZodType<BackupRow> {
  return z.strictObject(Object.fromEntries(shape), {
    error: (issue) => (issue.code === 'invalid_type' ? 'this is not an object' : undefined),
  }) as z.ZodType<unknown> as z.ZodType<BackupRow>;
}

function reasonOf(issue: z.core.$ZodIssue, candidate: unknown): string {
  if (issue.code === 'unrecognized_keys') return `the column "${issue.keys[0]}" is unknown`;
  const [column] = issue.path;
  if (column === undefined) return issue.message;
  const present = Object.hasOwn(candidate as object, column);
  return `column "${String(column)}" ${present ? issue.message : 'is missing'}`;
}

/** A file below the uploads folder as its row describes it: its size, and its hash if the row has one. */
export interface NamedFile {
  bytes: number;
  sha256?: string;
}

/** The files that a row of `media` names, by path. */
export function filesNamedBy(row: BackupRow): [path: string, file: NamedFile][] {
  const original: NamedFile = { bytes: Number(row.bytes), sha256: String(row.sha256) };
  const variants = variantsOf(String(row.variants)) ?? [];
  return [
    [String(row.path), original],
    ...variants.map(({ path, bytes }): [string, NamedFile] => [path, { bytes }]),
  ];
}

/** True when a saved file differs from its row. */
export function differs(entry: MediaEntry, named: NamedFile): boolean {
  return entry.bytes !== named.bytes || (named.sha256 !== undefined && entry.sha256 !== named.sha256);
}
