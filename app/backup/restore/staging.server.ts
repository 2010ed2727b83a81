import path from 'node:path';
import * as z from 'zod';
import { variantsOf } from '#app/backup/format/columns.ts';
import { foldersAbove, mediaFolder, type Manifest, type MediaEntry } from '#app/backup/format/manifest.ts';
import type { ReportProgress } from '#app/backup/format/progress.ts';
import { isMediaPath } from '#app/media/library/path.ts';
import { takeUploadsLock } from '#app/media/library/uploads-lock.server.ts';
import {
  contentOfBytes,
  contentOfFile,
  contentOfStored,
  hashStored,
} from '#app/media/store/content.server.ts';
import {
  FILES_AT_ONCE,
  type MediaStore,
  type StoredEntry,
  type Stored,
} from '#app/media/store/media-store.ts';
import { lockTables, inTransaction } from '#app/platform/database/transaction.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import type { Configured, Db, Logged } from '#app/platform/services.ts';

/** Prefix of the staged files of imports in the media store: names that begin with a dot are never served. */
export const STAGING_PREFIX = '.import-';
const PLAN_FILE = 'plan.json';
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
type ImportPlan = z.infer<typeof planSchema>;

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
async function readPlan(store: MediaStore, staging: string): Promise<ImportPlan | undefined> {
  const read = await store.get(`${staging}/${PLAN_FILE}`);
  if (!read) return undefined;
  if (read.bytes > LARGEST_PLAN) throw new Error(`${staging}/${PLAN_FILE} is too long`);
  return planSchema.parse(JSON.parse(Buffer.concat(await read.body.toArray()).toString('utf8')));
}

/** Stores the waiting files in their places. Existing files are no error. */
async function placeStagedFiles(store: MediaStore, staging: string, plan: ImportPlan): Promise<void> {
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

const PAGE = 500;

type FinishApp = Db & Configured & Stored;

/**
 * Completes or undoes every unfinished import in the media store: removes the old files if the import's rows are
 * committed, otherwise the new files. May be killed and run again at any point. The caller holds the exclusive uploads
 * lock.
 */
export async function finishImports(app: FinishApp): Promise<void> {
  const { mediaStore } = app;
  const stagings = await findStagings(mediaStore);
  if (stagings.size === 0) return;
  const committed = await committedImport(app);
  for (const [name, files] of stagings) {
    const plan = await readPlan(mediaStore, name);
    if (plan && name === committed) await finish(app, name, plan);
    else if (plan) await removeFiles(app, plan.placed);
    for (const file of files) await mediaStore.delete(file);
  }
  // The journal is removed last: a committed import with a plan must not look like an abandoned one.
  await app.db.importJournal.deleteMany();
}

/** The staged files of imports, by the name of the staging folder. */
async function findStagings(store: MediaStore): Promise<Map<string, string[]>> {
  const stagings = new Map<string, string[]>();
  for await (const { path } of store.list(STAGING_PREFIX)) {
    const name = path.slice(0, path.indexOf('/'));
    // The plan is removed last, since it lists the files.
    const files = stagings.get(name) ?? [];
    stagings.set(name, path.endsWith(`/${PLAN_FILE}`) ? [...files, path] : [path, ...files]);
  }
  return stagings;
}

// PostgreSQL may still be working on the COMMIT of a killed process: the lock waits for it.
async function committedImport(app: FinishApp): Promise<string | undefined> {
  return inTransaction(app.db, async (tx) => {
    await lockTables(tx, app.env.database.dialect, ['import_journal']);
    return (await tx.importJournal.findUnique({ where: { id: 1 } }))?.journal;
  });
}

async function finish(app: FinishApp, staging: string, plan: ImportPlan): Promise<void> {
  await removeFiles(app, plan.removed);
  await placeStagedFiles(app.mediaStore, staging, plan);
}

// Keeps files that a row names: the same picture may have been uploaded after the import was killed.
async function removeFiles(app: FinishApp, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const named = await namedFiles(app);
  const unnamed = paths.filter((name) => !named.has(name));
  await inParallel(unnamed, FILES_AT_ONCE, (name) => app.mediaStore.delete(name));
}

async function namedFiles(app: Db): Promise<Set<string>> {
  const named = new Set<string>();
  let after = '';
  for (;;) {
    const rows = await app.db.media.findMany({
      where: { id: { gt: after } },
      select: { id: true, path: true, variants: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    if (rows.length === 0) return named;
    for (const row of rows) {
      named.add(row.path);
      for (const variant of variantsOf(row.variants) ?? []) named.add(variant.path);
    }
    after = rows.at(-1)!.id;
  }
}

/**
 * Cleans up after an import that was killed. The server and every command call it when they start. Without such an
 * import, it only lists the staged files. Leaves a running import alone. Never throws: rows and the files that they
 * name are complete in any case.
 */
export async function recoverImport(app: Db & Configured & Logged & Stored): Promise<void> {
  try {
    if ((await findStagings(app.mediaStore)).size === 0) return;
    const lock = await takeUploadsLock(app, 'exclusive', 0);
    if (!lock) return;
    try {
      await finishImports(app);
      app.log.info('Cleaned up after an import that was stopped');
    } finally {
      await lock.release();
    }
  } catch (error) {
    app.log.warn(
      { reason: messageOf(error) },
      'Could not look for what a stopped import has left in the media store',
    );
  }
}
