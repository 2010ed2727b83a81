import type { Column } from './columns.ts';

/** What backups and imports do with a table. */
export type CatalogueEntry =
  | BusinessEntry
  | { kind: 'derived'; model: string }
  | { kind: 'ephemeral'; model: string; onImport: 'clear' | 'keep' };

/** A table that backups hold. */
export interface BusinessEntry {
  kind: 'business';
  /** Name of the Prisma delegate. */
  model: string;
  /** Columns of the primary key; files are sorted by it. */
  key: readonly string[];
  /** PostgreSQL may sort the key by the rules of a language, so an export sorts it. */
  isSortedByExport?: true;
  /** Columns whose values occur once. */
  unique?: readonly string[];
  /** Column → the business table whose `id` it names. */
  references?: Readonly<Record<string, string>>;
  /** A column that `"redacted": true` may replace in a line. */
  redactable?: string;
  /** In the order of the model, which is the order of the keys in a line. */
  columns: Readonly<Record<string, Column>>;
}

/** A table that backups hold. @param model name of the Prisma delegate */
export function business<const Entry extends Omit<BusinessEntry, 'kind' | 'model'>>(
  model: string,
  entry: Entry,
) {
  return { kind: 'business', model, ...entry } as const;
}
