import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import type { Configured, Timed } from '#app/platform/services.ts';
import { readOldestWaiting } from '#app/publishing/change/text-changes.server.ts';
import { readLateReleases } from '#app/publishing/trigger/runs.server.ts';
import type { SiteMaking, SitePlan } from './prepare-site.server.ts';
import { removeInSteps } from './remove-in-steps.server.ts';
import { createScratchApp, type ScratchApp } from './scratch-app.server.ts';

/** Prefix of the folders of scratch sites. */
export const SCRATCH_PREFIX = 'dateline-site-';

/** What making a site needs of the process that reads it. */
export type SiteServices = Timed & Configured & SiteMaking;

/** The public site at an instant, in a separate database that only the processes of this server use. */
export interface ScratchSite<Services> extends ScratchApp<Services> {
  /** Tells the process that renders the pages where the files are. */
  plan: SitePlan;
  /** Makes the search index at the first call. Call it before each search. */
  prepareSearch(): Promise<void>;
  /** Closes the site and removes its files: at once where no reader waits. */
  close(options?: { atOnce: boolean }): Promise<void>;
}

/**
 * Makes the public site as it is at an instant. A worker process makes the files, so readers and writers do not wait.
 * @param databases the clients of the copies
 */
export async function openScratchSite<Services extends SiteServices>(
  app: Services,
  databases: ReusedDatabases,
  instant: Date,
): Promise<ScratchSite<Services>> {
  // A SQLite file is copied whole.
  const copiesRows = app.env.database.dialect === 'postgresql';
  const oldestWaiting = copiesRows ? await readOldestWaiting(app) : null;
  const folder = await mkdtemp(path.join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`));
  const now = app.clock.now();
  const lateReleases = instant < now ? await readLateReleases(app, instant) : [];
  const plan: SitePlan = { env: app.env, folder, instant, now, oldestWaiting, lateReleases };
  try {
    await app.workers.prepareSite(plan);
  } catch (error) {
    await removeInSteps(folder);
    throw error;
  }
  const scratch = createScratchApp(app, databases, plan);
  let searchable: Promise<void> | undefined;
  return {
    ...scratch,
    plan,
    async prepareSearch() {
      searchable ??= app.workers.prepareSiteSearch(plan);
      await searchable.catch((error: unknown) => {
        searchable = undefined;
        throw error;
      });
    },
    async close({ atOnce } = { atOnce: false }) {
      await scratch.close();
      await (atOnce ? rm(folder, { recursive: true, force: true }) : removeInSteps(folder));
    },
  };
}
