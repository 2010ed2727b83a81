import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { copySqlite } from '#app/platform/copy-sqlite.server.ts';
import { openDatabase, type Database } from '#app/platform/database.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { migrate } from '#app/platform/migrations.server.ts';
import { forgetSecrets } from '#app/publishing/forget-secrets.server.ts';
import { publishAllDue } from '#app/publishing/publish-due.server.ts';
import { rewindPosts } from '#app/publishing/rewind-posts.server.ts';
import { BackgroundDrains } from '#app/search/background-drain.server.ts';
import { copyRows } from './copy-rows.server.ts';
import { createScratchSearch } from './scratch-search.server.ts';

/** Begins the names of the folders in which scratch sites are. */
export const SCRATCH_PREFIX = 'dateline-site-';

/** The public site at an instant, in a database of its own that only this process uses. */
export interface ScratchSite {
  /** What the loaders read; its clock stands at the instant. */
  app: App;
  /** Ends it and removes its files. */
  close(): Promise<void>;
}

/**
 * Makes the site as it is at an instant: a copy of the database in which the very trigger runs with its clock at that
 * instant, or whose posts go back to what they were. Readers and writers of the site are not held up.
 */
export async function openScratchSite(app: App, instant: Date): Promise<ScratchSite> {
  const folder = await mkdtemp(path.join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`));
  const file = path.join(folder, 'site.db');
  const target = { dialect: 'sqlite', url: `file:${file}`, file } as const;
  const { database } = app.env;
  let db: Database | undefined;
  try {
    if (database.dialect === 'sqlite') await copySqlite(database.file, file);
    else await migrate(target);
    db = await openDatabase(target, { isDisposable: true });
    const drains = new BackgroundDrains();
    await drains.close();
    const search = createScratchSearch(app, path.join(folder, 'search.db'));
    const scratch: App = {
      ...app,
      env: { ...app.env, database: target },
      db,
      clock: { now: () => new Date(instant) },
      log: createLog('silent', 2),
      search: search.engine,
      drains,
      recordKeys: undefined,
      sharedReads: undefined,
    };
    if (database.dialect === 'sqlite') await forgetSecrets(scratch);
    else await copyRows(app, scratch);
    if (instant < app.clock.now()) await rewindPosts(scratch, instant);
    else await publishAllDue(scratch, instant);
    search.follow(scratch);
    return { app: scratch, close: () => end(folder, db, () => search.engine.close()) };
  } catch (error) {
    await end(folder, db, () => Promise.resolve());
    throw error;
  }
}

async function end(folder: string, db: Database | undefined, close: () => Promise<void>): Promise<void> {
  await close().catch(() => {});
  await db?.$disconnect().catch(() => {});
  await rm(folder, { recursive: true, force: true });
}
