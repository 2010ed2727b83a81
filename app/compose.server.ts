import { recoverImport } from '#app/backup/restore/staging.server.ts';
import { BackgroundEffects } from '#app/effects/run.server.ts';
import { openDatabase, type DatabaseOptions } from '#app/platform/database/client.server.ts';
import { requireDatabase } from '#app/platform/database/health.server.ts';
import { parseEnv, type Env, type SearchTarget } from '#app/platform/env.server.ts';
import { ByteBudget, BoundedQueue, Mutex } from '#app/platform/jobs/concurrency.ts';
import { BackgroundDrains } from '#app/search/drain.server.ts';
import type { SearchEngine } from '#app/search/engine.ts';
import type { App, AppServices } from './app.ts';
import { createMediaStore } from './media/store/create.server.ts';
import { OpenPosts } from './people/open-posts.ts';
import { LoginQueue } from './people/passwords/queue.server.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { createLog } from './platform/log.server.ts';
import { ScratchSites } from './time-travel/scratch-sites.server.ts';
import { createInlineWorkers, createPatientWorkers, createWorkers } from './workers/workers.server.ts';

export interface AppOptions {
  logTo: 'stdout' | 'stderr';
  clock?: Clock;
  database?: DatabaseOptions;
  /** `inline` renders in this thread, `patient` in threads for commands with much work. */
  workers?: keyof typeof makeWorkers;
}

/** Forms in memory at the same time: two posts of the largest size, or thousands of usual ones. */
const FORM_BYTES_AT_ONCE = 16 * 1024 * 1024;

/** Social cards that are drawn or wait. Each takes about a quarter of a second. */
const CARDS_MAX = 20;

const makeWorkers = { threads: createWorkers, patient: createPatientWorkers, inline: createInlineWorkers };

/** Builds an `App`; no other function does. Reads nothing before the first use. */
export async function createApp(env: Env, options: AppOptions): Promise<App> {
  const clock = options.clock ?? systemClock;
  const log = createLog(env.logLevel, options.logTo === 'stdout' ? 1 : 2, { readable: !env.production });
  const search = await createSearchEngine(env.search, { apiKey: env.searchApiKey });
  const workers = makeWorkers[options.workers ?? 'threads']();
  const db = await openDatabase(env.database, { checkpoint: workers.checkpoint, ...options.database });
  return { ...createServices(env, workers), db, clock, log, search };
}

/**
 * The engine that `SEARCH_HOST` names. Opens nothing before its first use. Loads only this engine's code: Typesense's
 * client is a seventh of the processor time of a short command.
 */
export async function createSearchEngine(
  target: SearchTarget,
  { apiKey }: { apiKey?: string },
): Promise<SearchEngine> {
  if (target.kind === 'typesense') {
    const { createTypesenseEngine } = await import('./search/typesense/engine.server.ts');
    return createTypesenseEngine(target.nodes, apiKey);
  }
  const { createEmbeddedEngine } = await import('./search/embedded/engine.server.ts');
  return createEmbeddedEngine(target.file);
}

/** The services of an `App`. A process without a database of its own adds database, clock, log and search engine. */
export function createServices(env: Env, workers = createInlineWorkers()): AppServices {
  return {
    env,
    mediaStore: createMediaStore(env.mediaStore),
    drains: new BackgroundDrains(),
    effects: new BackgroundEffects(),
    loginQueue: new LoginQueue(),
    openPosts: new OpenPosts(),
    workers,
    pictureQueue: new Mutex(),
    cardQueue: new BoundedQueue(CARDS_MAX),
    formBudget: new ByteBudget(FORM_BYTES_AT_ONCE),
    scratchSites: new ScratchSites(),
  };
}

/** Closes everything that `createApp` opened. */
export async function closeApp(app: App): Promise<void> {
  await app.effects.close();
  await app.drains.close();
  await app.workers.close();
  await app.scratchSites.close();
  await app.search.close();
  app.mediaStore.close();
  await app.db.$disconnect();
}

/**
 * An `App` for a command, from the process's environment.
 * @throws AppError when there is no database that fits the code
 */
export async function openApp(workers: AppOptions['workers'] = 'inline'): Promise<App> {
  const env = parseEnv(process.env, 'command');
  const app = await createApp(env, { logTo: 'stderr', workers });
  try {
    await requireDatabase(app.db, env.database);
    await recoverImport(app);
  } catch (error) {
    await closeApp(app);
    throw error;
  }
  return app;
}

let composed: Promise<App> | undefined;

/**
 * The app of a loader or action: the one that the production server passes, or, under `remix-serve` and `remix
 * vite:dev`, one built from the environment.
 */
export function appOf(context: { app?: App }): Promise<App> {
  if (context.app) return Promise.resolve(context.app);
  composed ??= createApp(parseEnv(process.env, 'server'), { logTo: 'stdout' });
  return composed;
}
