import type { BusinessEntry, CatalogueEntry } from './table-entry.ts';
import { tableCatalogue } from './tables.ts';

/** A table that backups hold. */
export interface BusinessTable extends BusinessEntry {
  name: string;
}

const entries = Object.entries(tableCatalogue as Record<string, CatalogueEntry>);

/** The tables of a backup, in restore order. */
export const businessTables: readonly BusinessTable[] = entries.flatMap(([name, entry]) =>
  entry.kind === 'business' ? [{ ...entry, name }] : [],
);

/** The tables that an import empties, those that refer to others first. */
export const clearedTables: readonly { name: string; model: string }[] = entries
  .filter(
    ([, entry]) => entry.kind === 'business' || (entry.kind === 'ephemeral' && entry.onImport === 'clear'),
  )
  .map(([name, { model }]) => ({ name, model }))
  .reverse();

/** Names of all tables that an import writes. */
export const replacedTables: readonly string[] = [...clearedTables.map(({ name }) => name), 'import_journal'];
