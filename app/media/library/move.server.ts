import { contentOfStored, hashStored } from '#app/media/store/content.server.ts';
import { FILES_AT_ONCE, type MediaStore, type Stored } from '#app/media/store/media-store.ts';
import { AppError, asFullDisk } from '#app/platform/errors.ts';
import { inParallel } from '#app/platform/jobs/concurrency.ts';
import type { Configured } from '#app/platform/services.ts';
import { isInMediaFolder } from './is-in-media-folder.server.ts';
import { withUploadsLock } from './uploads-lock.server.ts';

export interface MediaMove {
  copied: number;
  /** Files that were there already, byte for byte. */
  skipped: number;
  /** Of the copied files. */
  bytes: number;
  /** Files that were read back with an unchanged hash. */
  verified: number;
}

interface MoveInput {
  target: MediaStore;
  onProgress?: (progress: { step: string; done: number; total: number }) => void;
  onWarning?: (warning: string) => void;
}

/** New uploads may arrive while files are copied. Each pass copies those that the last one missed. */
const PASSES = 5;

/**
 * Copies all media files into another store and reads each one back. The source is kept. The site may run meanwhile;
 * a run that was stopped resumes where it stopped.
 * @throws AppError `conflict` for the same store or a copy that differs, `unavailable` when a store does not answer
 */
export async function moveMedia(app: Configured & Stored, input: MoveInput): Promise<MediaMove> {
  const { mediaStore: source } = app;
  const { target, onProgress = () => {}, onWarning = () => {} } = input;
  const isInside = target.folder !== null && (await isInMediaFolder(source, target.folder));
  if (isInside || source.address === target.address)
    throw new AppError('conflict', `${target.address} is where the media files are already, or below it.`);
  await target.check().catch(async (error: unknown) => {
    // A new folder is created with its first file.
    if (target.folder === null) throw error;
  });
  const moved: MediaMove = { copied: 0, skipped: 0, bytes: 0, verified: 0 };
  const seen = new Set<string>();
  await withUploadsLock(app, 'shared', async () => {
    for (let pass = 0; pass < PASSES; pass += 1) {
      const paths = await newPaths(source, seen, onWarning);
      if (paths.length === 0) return;
      let done = 0;
      await inParallel(paths, FILES_AT_ONCE, async (path) => {
        await copyOne(source, target, path, moved);
        onProgress({ step: 'Copying media', done: (done += 1), total: paths.length });
      });
    }
  });
  return moved;
}

async function newPaths(
  source: MediaStore,
  seen: Set<string>,
  onWarning: (warning: string) => void,
): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, isFile } of source.list()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (isFile) paths.push(path);
    else onWarning(`${JSON.stringify(path)} was left out: it is not a regular file.`);
  }
  return paths;
}

async function copyOne(
  source: MediaStore,
  target: MediaStore,
  path: string,
  moved: MediaMove,
): Promise<void> {
  const original = await hashStored(source, path);
  if (!original) return; // removed meanwhile
  const copy = await target.head(path);
  if (copy?.bytes === original.bytes && (await hashStored(target, path))?.sha256 === original.sha256) {
    moved.skipped += 1;
    moved.verified += 1;
    return;
  }
  await target.put(path, contentOfStored(source, path, original)).catch((error: unknown) => {
    throw asFullDisk(error, target.folder ?? target.address);
  });
  if ((await hashStored(target, path))?.sha256 !== original.sha256) {
    await target.delete(path);
    throw new AppError('conflict', `${path} came back from ${target.address} with another content.`);
  }
  moved.copied += 1;
  moved.bytes += original.bytes;
  moved.verified += 1;
}
