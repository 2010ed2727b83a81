import { variantsOf } from './columns.ts';
import type { MediaEntry } from './manifest.ts';
import type { BackupRow } from './rows.ts';

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
