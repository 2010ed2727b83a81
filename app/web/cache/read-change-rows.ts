import * as z from 'zod';
import type { ContentChange, MissedChanges } from './content-changes.ts';

/** A process that missed more versions empties its cache. A check reads one more than this at most. */
export const VERSIONS_READ = 100;

/**
 * A row of the query that reads the version. It contains one change after the known version, or nulls if there is none.
 */
export interface ChangeRow {
  version: number;
  changeVersion: number | null;
  keys: string | null;
}

const keysSchema = z.array(z.string());

/** The changes in the rows. Unreadable changes count as missing. */
export function readChangeRows(rows: ChangeRow[], since: number): MissedChanges {
  return { version: rows[0]?.version ?? 0, since, changes: rows.flatMap(changeOf) };
}

function changeOf({ changeVersion, keys }: ChangeRow): ContentChange[] {
  if (changeVersion === null || keys === null) return [];
  try {
    const parsed = keysSchema.safeParse(JSON.parse(keys));
    return parsed.success ? [{ version: changeVersion, keys: parsed.data }] : [];
  } catch {
    return [];
  }
}
