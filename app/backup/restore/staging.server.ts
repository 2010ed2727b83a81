import path from 'node:path';
import * as z from 'zod';
import { foldersAbove } from '#app/backup/format/folders-above.ts';
import { mediaFolder, type Manifest, type MediaEntry } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { isMediaPath } from '#app/media/library/path.ts';
import {
  contentOfBytes,
  contentOfFile,
  contentOfStored,
  hashStored,
} from '#app/media/store/content.server.ts';
import { FILES_AT_ONCE, type MediaStore, type StoredEntry } from '#app/media/store/media-store.ts';
import { inParallel } from '#app/platform/jobs/in-parallel.ts';

/** Prefix of the staged files of imports in the media store: names that begin with a dot are never served. */
export const STAGING_PREFIX = '.import-';
export const PLAN_FILE = 'plan.json';
const FILES_FOLDER = 'files';
/** Enough for a plan of a million files. */
const LARGEST_PLAN = 256 * 1024 * 1024;

const placedPath = z.string().refine(isMediaPath);
const removedPath = z.string().refine((value) => !/^\/|(^|\/)\.\.?(\/|$)/.test(value));
const stagedFile = z.strictObject({ path: placedPath, bytes: z.int().nonnegative(), sha256: z.string() });

const planSchema = z.strictObject({
  /** Stored before the commit; removed again when the import does not commit. */
  placed: z.array(placedPath),
  /** Stored under another name until the commit, because another file has the final name until then. */
  waiting: z.array(stagedFile),
  /** Old files, removed when the import has committed. */
  removed: z.array(removedPath),
});

/** What an import does to the media files. Stored before the first file. */
export type ImportPlan = z.infer<typeof planSchema>;

/**
 * Stores the files of a backup before the rows are replaced. A stored file never changes, so the new files can be
 * beside the old ones until one of both sets is removed.
 * @param staging a new name that begins with `STAGING_PREFIX`
 */
export async function stageMedia(
  store: MediaStore,
  staging: string,
  backup: { inputDir: string; manifest: Manifest },
  onProgress: ReportProgress,
): Promise<void> {
  const { media } = backup.manifest;
  const present = await readPresent(store);
  const plan: ImportPlan = { placed: [], waiting: [], removed: [] };
  const toStage: { entry: MediaEntry; at: string }[] = [];
  await inParallel(media, FILES_AT_ONCE, async (entry) => {
    const existing = await findExisting(store, present, entry);
    if (existing === 'same') return;
    if (existing === 'nothing') plan.placed.push(entry.path);
    else plan.waiting.push(entry);
    toStage.push({ entry, at: existing === 'nothing' ? entry.path : stagedPath(staging, entry.path) });
  });
  const newPaths = new Set(media.map((entry) => entry.path));
  plan.removed = [...present.files.keys()].filter((name) => !newPaths.has(name));
  await store.put(`${staging}/${PLAN_FILE}`, contentOfBytes(Buffer.from(JSON.stringify(plan))));
  let done = media.length - toStage.length;
  await inParallel(toStage, FILES_AT_ONCE, async ({ entry, at }) => {
    const file = path.join(backup.inputDir, mediaFolder, entry.path);
    await store.put(at, contentOfFile(file, entry));
    onProgress({ step: 'Copying media', done: (done += 1), total: media.length });
  });
}

/** The plan of an import; undefined if the import has stored nothing, since it stores the plan first. */
export async function readPlan(store: MediaStore, staging: string): Promise<ImportPlan | undefined> {
  const read = await store.get(`${staging}/${PLAN_FILE}`);
  if (!read) return undefined;
  if (read.bytes > LARGEST_PLAN) throw new Error(`${staging}/${PLAN_FILE} is too long`);
  return planSchema.parse(JSON.parse(Buffer.concat(await read.body.toArray()).toString('utf8')));
}

/** Stores the waiting files in their places. Existing files are no error. */
export async function placeStagedFiles(store: MediaStore, staging: string, plan: ImportPlan): Promise<void> {
  await inParallel(plan.waiting, FILES_AT_ONCE, async (file) => {
    const from = stagedPath(staging, file.path);
    await store.put(file.path, contentOfStored(store, from, file));
  });
}

function stagedPath(staging: string, name: string): string {
  return `${staging}/${FILES_FOLDER}/${name}`;
}

interface Present {
  files: Map<string, StoredEntry>;
  folders: Set<string>;
}

async function readPresent(store: MediaStore): Promise<Present> {
  const present: Present = { files: new Map(), folders: new Set() };
  for await (const entry of store.list()) {
    present.files.set(entry.path, entry);
    for (const folder of foldersAbove(entry.path)) present.folders.add(folder);
  }
  return present;
}

async function findExisting(
  store: MediaStore,
  { files, folders }: Present,
  entry: MediaEntry,
): Promise<'nothing' | 'same' | 'other'> {
  // In a folder, a file and a folder cannot have one name.
  if (folders.has(entry.path) || foldersAbove(entry.path).some((folder) => files.has(folder))) return 'other';
  const existing = files.get(entry.path);
  if (!existing) return 'nothing';
  if (!existing.isFile || existing.bytes !== entry.bytes) return 'other';
  const sha256 = (await store.head(entry.path))?.sha256 ?? (await hashStored(store, entry.path))?.sha256;
  return sha256 === entry.sha256 ? 'same' : 'other';
}
