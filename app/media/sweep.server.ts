import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { STAGED_PREFIX } from './upload-files.server.ts';

const HOUR_MS = 60 * 60 * 1000;
const BATCH_SIZE = 100;

type SweepApp = Pick<App, 'db' | 'clock' | 'env'>;

/** Notes files that nothing names any more; a trigger removes them an hour later, when no page shows them. */
export async function removeLater(
  tx: Transaction,
  paths: string[],
  now: Date,
  { afterMs = HOUR_MS } = {},
): Promise<void> {
  const removeAfter = new Date(now.getTime() + afterMs);
  for (const file of paths)
    await tx.mediaRemoval.upsert({
      where: { path: file },
      create: { path: file, removeAfter },
      update: { removeAfter },
    });
}

/**
 * Removes files whose hour is over, and what a killed upload left half-written. For every trigger.
 * @returns how many files are gone.
 */
export async function sweepRemovedMedia(app: SweepApp): Promise<{ removedFileCount: number }> {
  let removedFileCount = 0;
  for (;;) {
    const due = await app.db.mediaRemoval.findMany({
      where: { removeAfter: { lte: app.clock.now() } },
      orderBy: { path: 'asc' },
      take: BATCH_SIZE,
    });
    if (due.length === 0) break;
    removedFileCount += await removeDue(
      app,
      due.map((row) => row.path),
    );
  }
  return { removedFileCount: removedFileCount + (await removeAbandoned(app)) };
}

// Each row goes first, which locks it, and its file before the commit: a picture that is uploaded again at
// this moment waits for the commit and then puts its files in place anew.
async function removeDue(app: SweepApp, paths: string[]): Promise<number> {
  const now = app.clock.now();
  return inTransaction(app.db, async (tx) => {
    let removed = 0;
    for (const file of paths) {
      const { count } = await tx.mediaRemoval.deleteMany({
        where: { path: file, removeAfter: { lte: now } },
      });
      if (count === 0 || (await isNamed(tx, file))) continue;
      await rm(path.join(app.env.uploadsDir, file), { force: true });
      removed += 1;
    }
    return removed;
  });
}

async function isNamed(tx: Transaction, file: string): Promise<boolean> {
  const where = { OR: [{ path: file }, { variants: { contains: JSON.stringify(file) } }] };
  return (await tx.media.findFirst({ where, select: { id: true } })) !== null;
}

/** Half-written files of uploads that were killed stand in this month's folder or the last one's. */
async function removeAbandoned(app: SweepApp): Promise<number> {
  const now = app.clock.now();
  let removed = 0;
  for (const monthsAgo of [0, 1]) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1));
    const folder = path.join(app.env.uploadsDir, month.toISOString().slice(0, 7).replace('-', '/'));
    const names = await unlessMissing(readdir(folder), []);
    for (const name of names.filter((name) => name.startsWith(STAGED_PREFIX))) {
      const file = path.join(folder, name);
      const found = await unlessMissing(stat(file), null);
      if (found === null || now.getTime() - found.mtimeMs < HOUR_MS) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** What a file operation gives, or `fallback` where nothing is there. A folder that cannot be read is an error. */
async function unlessMissing<T, Fallback>(operation: Promise<T>, fallback: Fallback): Promise<T | Fallback> {
  try {
    return await operation;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return fallback;
    throw error;
  }
}
