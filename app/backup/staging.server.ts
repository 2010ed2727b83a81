import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { checksumRefusal, reading } from './backup-files.server.ts';
import { copyFile, hashFile, syncFolder } from './folder-writer.server.ts';
import { mediaFolder, type Manifest, type MediaEntry } from './manifest.ts';
import { isMediaPath } from './media-path.ts';
import type { ReportProgress } from './progress.ts';
import { listUploads } from './uploads.server.ts';

/** Prefix of staging folders inside the uploads folder: names that begin with a dot are never served. */
export const STAGING_PREFIX = '.import-';
const PLAN_FILE = 'plan.json';
const FILES_FOLDER = 'files';

const placedPath = z.string().refine(isMediaPath);
const removedPath = z.string().refine((value) => !/^\/|(^|\/)\.\.?(\/|$)/.test(value));

const planSchema = z.strictObject({
  /** Moved into place before the commit; removed again when the import does not commit. */
  placed: z.array(placedPath),
  /** Moved into place after the commit, because another file has that name until then. */
  waiting: z.array(placedPath),
  /** Old files, removed when the import has committed. */
  removed: z.array(removedPath),
});

/** What an import does to the uploads folder. Written to the disk before the first file moves. */
export type ImportPlan = z.infer<typeof planSchema>;

/**
 * Copies the files of a backup into the uploads folder before the rows are replaced. A stored file never
 * changes, so new files can be beside the old ones until either is removed.
 * @param stagingDir a new folder inside the uploads folder
 */
export async function stageMedia(
  uploadsDir: string,
  stagingDir: string,
  backup: { inputDir: string; manifest: Manifest },
  onProgress: ReportProgress,
): Promise<void> {
  const { inputDir, manifest } = backup;
  await mkdir(stagingDir, { recursive: true });
  const plan: ImportPlan = { placed: [], waiting: [], removed: [] };
  for (const [index, entry] of manifest.media.entries()) {
    onProgress({ step: 'Copying media', done: index + 1, total: manifest.media.length });
    const found = await whatLiesAt(uploadsDir, entry);
    if (found === 'same') continue;
    (found === 'nothing' ? plan.placed : plan.waiting).push(entry.path);
    await stageFile(inputDir, stagingDir, entry);
  }
  const kept = new Set(manifest.media.map((entry) => entry.path));
  plan.removed = (await listUploads(uploadsDir)).map((file) => file.path).filter((name) => !kept.has(name));
  await writePlan(stagingDir, plan);
  await placeFiles(uploadsDir, stagingDir, plan.placed);
}

/** The plan of a staging folder; undefined when none was written, and so no file was moved. */
export async function readPlan(stagingDir: string): Promise<ImportPlan | undefined> {
  try {
    return planSchema.parse(JSON.parse(await readFile(path.join(stagingDir, PLAN_FILE), 'utf8')));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Moves staged files into place. Files that were moved already are no error. */
export async function placeFiles(uploadsDir: string, stagingDir: string, paths: string[]): Promise<void> {
  const folders = new Set<string>([uploadsDir]);
  for (const name of paths) {
    const target = path.join(uploadsDir, name);
    const folder = path.dirname(target);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    try {
      await rename(path.join(stagingDir, FILES_FOLDER, name), target);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    }
  }
  for (const folder of folders) await syncFolder(folder);
}

async function stageFile(inputDir: string, stagingDir: string, entry: MediaEntry): Promise<void> {
  const name = `${mediaFolder}/${entry.path}`;
  const copy = await reading(name, () =>
    copyFile(path.join(inputDir, name), path.join(stagingDir, FILES_FOLDER, entry.path), 0o644),
  );
  if (copy.sha256 !== entry.sha256) throw checksumRefusal(name);
}

async function writePlan(stagingDir: string, plan: ImportPlan): Promise<void> {
  const draft = path.join(stagingDir, `${PLAN_FILE}.draft`);
  await writeFile(draft, JSON.stringify(plan), { flush: true });
  await rename(draft, path.join(stagingDir, PLAN_FILE));
  await syncFolder(stagingDir);
}

async function whatLiesAt(uploadsDir: string, entry: MediaEntry): Promise<'nothing' | 'same' | 'other'> {
  const segments = entry.path.split('/');
  for (let depth = 1; depth < segments.length; depth += 1) {
    const folder = await statOf(path.join(uploadsDir, ...segments.slice(0, depth)));
    if (!folder) return 'nothing';
    if (!folder.isDirectory()) return 'other'; // also for a link to a folder
  }
  const file = path.join(uploadsDir, entry.path);
  const stat = await statOf(file);
  if (!stat) return 'nothing';
  if (!stat.isFile() || stat.size !== entry.bytes) return 'other';
  return (await hashFile(file)).sha256 === entry.sha256 ? 'same' : 'other';
}

async function statOf(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
