import { readdir, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { lockTables } from '#app/platform/table-lock.server.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { variantsOf } from './columns.ts';
import { STAGING_PREFIX, placeFiles, readPlan, type ImportPlan } from './staging.server.ts';

const PAGE = 500;

/**
 * Completes or undoes every unfinished import in the uploads folder: where the rows are committed, removes the
 * old files, otherwise the new ones. May be killed and run again at any point. The caller holds the exclusive
 * uploads lock.
 */
export async function finishImports(app: Pick<App, 'env' | 'db'>): Promise<void> {
  const { uploadsDir } = app.env;
  const stagings = await findStagings(uploadsDir);
  if (stagings.length === 0) return;
  const committed = await committedImport(app);
  for (const name of stagings) {
    const stagingDir = path.join(uploadsDir, name);
    const plan = await readPlan(stagingDir);
    if (plan && name === committed) await finish(app, stagingDir, plan);
    else if (plan) await removeFiles(app, plan.placed);
    // The journal is removed last: a committed import with a plan must not look like an abandoned one.
    await rm(stagingDir, { recursive: true, force: true });
  }
  await app.db.importJournal.deleteMany();
}

/** Names of the staging folders in the uploads folder. */
export async function findStagings(uploadsDir: string): Promise<string[]> {
  try {
    return (await readdir(uploadsDir)).filter((name) => name.startsWith(STAGING_PREFIX));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

// PostgreSQL may still be working on the COMMIT of a killed process: the lock waits for it.
async function committedImport(app: Pick<App, 'env' | 'db'>): Promise<string | undefined> {
  return inTransaction(app.db, async (tx) => {
    await lockTables(tx, app.env.database.dialect, ['import_journal']);
    return (await tx.importJournal.findUnique({ where: { id: 1 } }))?.journal;
  });
}

async function finish(app: Pick<App, 'env' | 'db'>, stagingDir: string, plan: ImportPlan): Promise<void> {
  await removeFiles(app, plan.removed);
  await placeFiles(app.env.uploadsDir, stagingDir, plan.waiting);
}

// Keeps files that a row names: the same picture may have been uploaded after the import was killed.
async function removeFiles(app: Pick<App, 'env' | 'db'>, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const named = await namedFiles(app);
  for (const name of paths) {
    if (named.has(name)) continue;
    await unlinkIfThere(path.join(app.env.uploadsDir, name));
    await removeEmptyFolders(app.env.uploadsDir, path.dirname(name));
  }
}

async function namedFiles(app: Pick<App, 'db'>): Promise<Set<string>> {
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

async function unlinkIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let current = folder; current !== '.'; current = path.dirname(current)) {
    try {
      await rmdir(path.join(root, current));
    } catch {
      return; // not empty, or gone already
    }
  }
}
