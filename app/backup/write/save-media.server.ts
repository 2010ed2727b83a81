import path from 'node:path';
import {
  changedFileWarning,
  mediaFolder,
  missingFileWarning,
  type MediaEntry,
} from '#app/backup/format/manifest.ts';
import { differs, type NamedFile } from '#app/backup/format/named-files.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { compareBytes } from '#app/backup/format/rows.ts';
import { foldPath, isMediaPath } from '#app/media/library/path.ts';
import { readStored } from '#app/media/store/content.server.ts';
import { FILES_AT_ONCE, type MediaStore, type StoredEntry } from '#app/media/store/media-store.ts';
import { isAppError, messageOf } from '#app/platform/errors.ts';
import { inParallel } from '#app/platform/jobs/in-parallel.ts';
import { writeStream } from './folder-writer.server.ts';

export interface SavedMedia {
  /** Sorted by path. */
  entries: MediaEntry[];
  warnings: string[];
}

/**
 * Copies the media files into a backup. A file that cannot be saved, or differs from its row, causes a warning.
 * @param named path → the file as its row describes it
 */
export async function saveMedia(
  store: MediaStore,
  backupDir: string,
  named: ReadonlyMap<string, NamedFile>,
  onProgress: ReportProgress = () => {},
): Promise<SavedMedia> {
  const listed: StoredEntry[] = [];
  for await (const entry of store.list()) listed.push(entry);
  listed.sort((a, b) => compareBytes(a.path, b.path));
  const folded = new Set<string>();
  const warnings: string[] = [];
  const mediaFiles = listed.filter(({ path: name, isFile }) => {
    const reason = skipReason({ name, isFile }, folded);
    if (reason) warnings.push(`uploads/${printable(name)} was left out: ${reason}.`);
    else folded.add(foldPath(name));
    return !reason;
  });
  const entries: MediaEntry[] = [];
  let done = 0;
  await inParallel(mediaFiles, FILES_AT_ONCE, async ({ path: name }) => {
    try {
      const file = await writeStream(readStored(store, name), path.join(backupDir, mediaFolder, name));
      entries.push({ path: name, ...file });
    } catch (error) {
      if (!isAboutSource(error)) throw error;
      warnings.push(`uploads/${name} was left out: it cannot be read (${messageOf(error)}).`);
    }
    onProgress({ step: 'Copying media', done: (done += 1), total: mediaFiles.length });
  });
  entries.sort((a, b) => compareBytes(a.path, b.path));
  warnings.sort(compareBytes);
  return { entries, warnings: [...warnings, ...compare(entries, named)] };
}

function compare(entries: MediaEntry[], named: ReadonlyMap<string, NamedFile>): string[] {
  const saved = new Map(entries.map((entry) => [entry.path, entry]));
  const warnings: string[] = [];
  for (const [name, file] of [...named].sort(([a], [b]) => compareBytes(a, b))) {
    const entry = saved.get(name);
    if (!entry) warnings.push(missingFileWarning(name));
    else if (differs(entry, file)) warnings.push(changedFileWarning(name));
  }
  return warnings;
}

function skipReason(
  { name, isFile }: { name: string; isFile: boolean },
  folded: Set<string>,
): string | undefined {
  if (!isFile) return 'it is not a regular file';
  if (!isMediaPath(name)) return 'its name does not exist on every system';
  if (folded.has(foldPath(name))) return 'another file has the same name but for upper and lower case';
  return undefined;
}

// Only a failed read is a warning. A failed write, such as on a full disk, ends the export.
function isAboutSource(error: unknown): boolean {
  if (isAppError(error)) return error.code === 'not_found';
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall === 'read') return true;
  return syscall === 'open' && ['ENOENT', 'EACCES', 'EPERM', 'EIO'].includes(code ?? '');
}

function printable(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}
