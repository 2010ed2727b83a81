import { variantsOf } from '#app/backup/format/columns.ts';
import { FILES_AT_ONCE, type MediaStore, type Stored } from '#app/media/store/media-store.ts';
import { lockTables } from '#app/platform/database/table-lock.server.ts';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { inParallel } from '#app/platform/jobs/in-parallel.ts';
import type { Configured, Db } from '#app/platform/services.ts';
import { PLAN_FILE, STAGING_PREFIX, placeStagedFiles, readPlan, type ImportPlan } from './staging.server.ts';

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
export async function findStagings(store: MediaStore): Promise<Map<string, string[]>> {
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
