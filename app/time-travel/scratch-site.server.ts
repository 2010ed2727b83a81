import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '#app/app.ts';
import { createKeptPortions } from '#app/feeds/sitemap-parts.server.ts';
import { createFixedReads } from '#app/platform/fixed-reads.ts';
import { createLog } from '#app/platform/log.server.ts';
import { BackgroundDrains } from '#app/search/background-drain.server.ts';
import { filesIn, type SitePlan } from './prepare-site.server.ts';
import { createScratchSearch } from './scratch-search.server.ts';

/** Prefix of the folders of scratch sites. */
export const SCRATCH_PREFIX = 'dateline-site-';

/** The public site at an instant, in a database of its own that only this process uses. */
export interface ScratchSite {
  /** What the loaders read; its clock is at the instant. Its database is closed while the site rests. */
  app: App;
  /** Closes its database until it is woken: the next site is opened with the same client. */
  rest(): Promise<void>;
  wake(): Promise<void>;
  /** Ends it and removes its files. */
  close(): Promise<void>;
}

/**
 * Opens the site as it is at an instant. A worker process makes its files, so readers and writers do not wait.
 */
export async function openScratchSite(app: App, instant: Date): Promise<ScratchSite> {
  const folder = await mkdtemp(path.join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const plan: SitePlan = { env: app.env, folder, instant, now: app.clock.now() };
    await app.workers.prepareSite(plan);
    const { database } = filesIn(folder);
    const open = () => app.scratchSites.databases.open(database.file, { readsOnly: true });
    let opened: ReturnType<typeof open> | undefined = open();
    const { db } = await opened;
    const search = createScratchSearch(app, plan);
    const drains = new BackgroundDrains();
    await drains.close();
    const scratch: App = {
      ...app,
      env: { ...app.env, database },
      db,
      clock: { now: () => new Date(instant) },
      log: createLog('silent', 2),
      search,
      drains,
      sitemapPortions: createKeptPortions(),
      recordKeys: undefined,
      // Nobody changes the copy any more.
      sharedReads: createFixedReads(),
    };
    const rest = async () => {
      const resting = opened;
      opened = undefined;
      await (await resting)?.close();
    };
    const wake = async () => {
      opened ??= open();
      try {
        scratch.db = (await opened).db;
      } catch (error) {
        opened = undefined;
        throw error;
      }
    };
    const close = async () => {
      await search.close().catch(() => {});
      await rest().catch(() => {});
      await remove();
    };
    return { app: scratch, rest, wake, close };
  } catch (error) {
    await remove();
    throw error;
  }
}
