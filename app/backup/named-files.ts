import { variantsOf } from './columns.ts';
import type { MediaEntry } from './manifest.ts';
import type { BackupRow } from './rows.ts';

/** What the rows say of a file below the uploads folder: its size, and its hash where they know it. */
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

/** Whether a saved file is not what the rows say of it. */
export function differs(entry: MediaEntry, named: NamedFile): boolean {
  return entry.bytes !== named.bytes || (named.sha256 !== undefined && entry.sha256 !== named.sha256);
}
