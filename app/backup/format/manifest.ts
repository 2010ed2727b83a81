import * as z from 'zod';
import { isMediaPath } from '#app/media/library/path.ts';

/** Raised when a reader of the old format could misread the new one. */
export const formatVersion = 1;

export const manifestFile = 'manifest.json';
export const tablesFolder = 'tables';
export const mediaFolder = 'media';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hexadecimal');

/** `manifest.json` (contract, section 6). Times are ISO 8601 UTC, sizes bytes. */
export const manifestSchema = z.strictObject({
  formatVersion: z.literal(formatVersion),
  createdAt: z.iso.datetime({ precision: 3 }),
  application: z.strictObject({ name: z.string(), version: z.string() }),
  /** Name of the newest migration of the database that was saved. */
  migrationTag: z.string().min(1),
  secretPolicy: z.enum(['redacted', 'included']),
  redactedSecretKeys: z.array(z.string()),
  /** Table names; a table comes after those that it refers to. */
  restoreOrder: z.array(z.string()),
  tables: z.array(z.strictObject({ name: z.string(), file: z.string(), rows: count, bytes: count, sha256 })),
  /** Sorted by path. */
  media: z.array(
    z.strictObject({
      path: z.string().refine(isMediaPath, 'must be a path below the uploads folder'),
      bytes: count,
      sha256,
    }),
  ),
  warnings: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type TableEntry = Manifest['tables'][number];
export type MediaEntry = Manifest['media'][number];

/** The text of a manifest, without its last line end. Verification also takes it with another indentation. */
export function manifestText(manifest: Manifest): string {
  return JSON.stringify(manifest, null, 2);
}

/** The file of a table, below the backup folder. */
export function tableFile(name: string): string {
  return `${tablesFolder}/${name}.jsonl`;
}

// Verification compares these texts: a file may be missing or differ from its row only where the manifest says so.

export function missingFileWarning(path: string): string {
  return `${mediaFolder}/${path} is missing: the database names it, but it is not in the uploads folder.`;
}

export function changedFileWarning(path: string): string {
  return `${mediaFolder}/${path} is not the file that the database describes: it was changed in the uploads folder.`;
}
