import * as z from 'zod';
import { isMediaPath } from '#app/media/library/path.ts';
import { type AppError, invalidInput } from '#app/platform/errors.ts';
import { optional, text, time } from './columns.ts';
import type { BusinessTable } from './tables.ts';

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

/** Why a backup is not accepted: one line that names the file and the reason. */
export function refusal(file: string, reason: string): AppError {
  return invalidInput(`${file}: ${reason}.`);
}

/** `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** The columns of the audit log's file. It is beside a backup: no backup contains the log (contract, section 6). */
export const auditLogTable: BusinessTable = {
  kind: 'business',
  name: 'audit_log',
  model: 'auditLog',
  key: ['id'],
  columns: {
    id: text,
    at: time,
    user_id: optional(text),
    ...{ actor: text, action: text, subject: text, details: text, address: text },
  },
};

/** The path of the audit log's file beside a backup, which is a folder or an encrypted file. */
export function auditLogName(backup: string): string {
  const [, name, isEncrypted] = /^(.*?)(\.tar\.age)?$/.exec(backup)!;
  return `${name}.audit-log.jsonl.gz${isEncrypted ? '.age' : ''}`;
}
