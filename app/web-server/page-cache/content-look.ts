import { z } from 'zod';
import type { ContentChange, ContentLook } from './content-changes.ts';

/** Of a process that missed more versions, the whole cache goes; one look reads at most so many and one. */
export const VERSIONS_READ = 100;

/** A row of the query that reads the version, with one change since a version that is known; null where there is none. */
export interface LookRow {
  version: number;
  changeVersion: number | null;
  keys: string | null;
}

const keysSchema = z.array(z.string());

/** What the rows tell; changes that cannot be read count as missing. */
export function lookOf(rows: LookRow[], since: number): ContentLook {
  return { version: rows[0]?.version ?? 0, since, changes: rows.flatMap(changeOf) };
}

function changeOf({ changeVersion, keys }: LookRow): ContentChange[] {
  if (changeVersion === null || keys === null) return [];
  try {
    const parsed = keysSchema.safeParse(JSON.parse(keys));
    return parsed.success ? [{ version: changeVersion, keys: parsed.data }] : [];
  } catch {
    return [];
  }
}
