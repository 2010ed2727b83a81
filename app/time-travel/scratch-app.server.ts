import type { App, AppServices } from '#app/app.ts';
import { createKeptPortions } from '#app/feeds/sitemap-parts.server.ts';
import type { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import { createCachedReads } from '#app/platform/http/cached-reads.ts';
import { createLog } from '#app/platform/log.server.ts';
import { BackgroundDrains } from '#app/search/background-drain.server.ts';
import { createEmbeddedEngine } from '#app/search/embedded/engine.server.ts';
import type { SearchEngine } from '#app/search/engine.ts';
import { filesIn, type SitePlan } from './prepare-site.server.ts';

/** The `App` of a scratch site whose files exist. */
export interface ScratchApp {
  /** Opens the database. @returns the app for the loaders, with its clock at the instant */
  open(): Promise<App>;
  /** Closes the database until the next `open`, so that another site can use the same client. */
  closeDatabase(): Promise<void>;
  close(): Promise<void>;
}

/** @param services of the process that reads the site */
export function createScratchApp(
  services: AppServices,
  databases: ReusedDatabases,
  plan: SitePlan,
): ScratchApp {
  const files = filesIn(plan.folder);
  const search = createEmbeddedEngine(files.search);
  let scratch: Omit<App, 'db'> | undefined;
  let opened: ReturnType<ReusedDatabases['open']> | undefined;
  const closeDatabase = async () => {
    const resting = opened;
    opened = undefined;
    await (await resting)?.close();
  };
  return {
    async open() {
      const opening = (opened ??= databases.open(files.database.file, { readsOnly: true }));
      try {
        const { db } = await opening;
        scratch ??= scratchOf(services, plan, search);
        return { ...scratch, db };
      } catch (error) {
        opened = undefined;
        throw error;
      }
    },
    closeDatabase,
    async close() {
      await search.close().catch(() => {});
      await closeDatabase().catch(() => {});
    },
  };
}

function scratchOf(
  services: AppServices,
  { env, folder, instant }: SitePlan,
  search: SearchEngine,
): Omit<App, 'db'> {
  const drains = new BackgroundDrains();
  void drains.close();
  return {
    ...services,
    env: { ...env, database: filesIn(folder).database },
    clock: { now: () => new Date(instant) },
    log: createLog('silent', 2),
    search,
    drains,
    sitemapPortions: createKeptPortions(),
    recordKeys: undefined,
    // Nobody changes the finished copy.
    sharedReads: createCachedReads(),
  };
}
