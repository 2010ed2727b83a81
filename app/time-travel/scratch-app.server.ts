import { BackgroundEffects } from '#app/effects/background-effects.server.ts';
import type { Effectful } from '#app/effects/effect-app.ts';
import type { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import { createCachedReads } from '#app/platform/http/cached-reads.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Configured, Logged, Reading, Timed } from '#app/platform/services.ts';
import { BackgroundDrains, type Drained } from '#app/search/background-drain.server.ts';
import { createEmbeddedEngine } from '#app/search/embedded/engine.server.ts';
import type { SearchEngine, Searched } from '#app/search/engine.ts';
import { filesIn, type SitePlan } from './prepare-site.server.ts';

/** The services that a scratch site has of its own. */
type Own = Timed & Configured & Logged & Reading & Searched & Drained & Effectful;

/** The services of a scratch site whose files exist: its own, the others of the process that reads it. */
export interface ScratchApp<Services> {
  /** Opens the database. @returns the services for the loaders, with their clock at the instant */
  open(): Promise<Services & Own>;
  /** Closes the database until the next `open`, so that another site can use the same client. */
  closeDatabase(): Promise<void>;
  close(): Promise<void>;
}

/** @param services of the process that reads the site */
export function createScratchApp<Services extends Configured>(
  services: Services,
  databases: ReusedDatabases,
  plan: SitePlan,
): ScratchApp<Services> {
  const files = filesIn(plan.folder);
  const search = createEmbeddedEngine(files.search);
  let scratch: (Services & Omit<Own, 'db'>) | undefined;
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

function scratchOf<Services extends Configured>(
  services: Services,
  { env, folder, instant }: SitePlan,
  search: SearchEngine,
): Services & Omit<Own, 'db'> {
  const drains = new BackgroundDrains();
  void drains.close();
  const effects = new BackgroundEffects();
  void effects.close();
  return {
    ...services,
    env: { ...env, database: filesIn(folder).database },
    clock: { now: () => new Date(instant) },
    log: createLog('silent', 2),
    search,
    drains,
    effects,
    recordKeys: undefined,
    // Nobody changes the finished copy.
    sharedReads: createCachedReads(),
  };
}
