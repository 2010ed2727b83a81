import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BackgroundEffects } from '#app/effects/run.server.ts';
import type { Effectful } from '#app/effects/effect-app.ts';
import type { ReusedDatabases } from '#app/platform/database/reused.server.ts';
import { createCachedReads } from '#app/platform/http/shared-reads.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Configured, Logged, Reading, Timed, Db } from '#app/platform/services.ts';
import { BackgroundDrains, type Drained } from '#app/search/drain.server.ts';
import { createEmbeddedEngine } from '#app/search/embedded/engine.server.ts';
import type { SearchEngine, Searched } from '#app/search/engine.ts';
import { filesIn, type SitePlan, type SiteMaking } from './prepare-site.server.ts';

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
  /** Closes the site and removes its files. */
  close(): Promise<void>;
}

/**
 * Makes the public site as it is at an instant. A worker process makes the files, so readers and writers do not wait.
 * @param databases the clients of the copies
 * @param onFolder gets the folder of its files before they are made
 */
export async function openScratchSite<Services extends SiteServices>(
  app: Services,
  databases: ReusedDatabases,
  instant: Date,
  onFolder?: (folder: string) => void,
): Promise<ScratchSite<Services>> {
  const folder = await mkdtemp(path.join(tmpdir(), `${SCRATCH_PREFIX}${process.pid}-`));
  onFolder?.(folder);
  const now = app.clock.now();
  const lateReleases = instant < now ? await readLateReleases(app, instant) : [];
  const plan: SitePlan = { env: app.env, folder, instant, now, lateReleases };
  try {
    await app.workers.prepareSite(plan);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
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
    async close() {
      await scratch.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The times at which the trigger published releases that were due at an instant, because it came only later. Without
 * releases that an earlier trigger could not publish: until they were mended, they belonged to no published site.
 */
async function readLateReleases({ db }: Db, instant: Date): Promise<Date[]> {
  const releases = await db.release.findMany({
    where: { status: 'published', publishAt: { lte: instant }, publishedAt: { gt: instant } },
    select: { publishAt: true, publishedAt: true },
  });
  const late: Date[] = [];
  for (const { publishAt, publishedAt } of releases) {
    const earlier = await db.publishRun.findFirst({
      where: { startedAt: { gte: publishAt!, lt: publishedAt! }, finishedAt: { lt: publishedAt! } },
      select: { id: true },
    });
    if (!earlier) late.push(publishedAt!);
  }
  return late;
}
