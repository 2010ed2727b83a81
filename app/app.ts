import type { KeptPortions } from '#app/feeds/sitemap-parts.server.ts';
import type { MediaStore } from '#app/media/store/media-store.ts';
import type { LoginQueue } from '#app/people/passwords/queue.server.ts';
import type { Clock } from '#app/platform/clock.ts';
import type { Database } from '#app/platform/database/client.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { ByteBudget } from '#app/platform/http/byte-budget.ts';
import type { RecordKeys } from '#app/platform/http/page-keys.ts';
import type { SharedReads } from '#app/platform/http/shared-reads.ts';
import type { BoundedQueue, TaskQueue } from '#app/platform/jobs/task-queue.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { BackgroundDrains } from '#app/search/background-drain.server.ts';
import type { SearchEngine } from '#app/search/engine.ts';
import type { ScratchSites } from '#app/time-travel/scratch-sites.server.ts';
import type { Workers } from '#app/workers/workers.server.ts';

/**
 * The services of a process, built once by `compose.server.ts`. Features take `Pick<App, …>` as their first
 * argument, so that a test builds them with a fake clock and a temporary database.
 */
export interface App {
  env: Env;
  db: Database;
  clock: Clock;
  log: Log;
  search: SearchEngine;
  /** Where uploaded files are. */
  mediaStore: MediaStore;
  /** Updates the search index after this process's saves. */
  drains: BackgroundDrains;
  /** The queue of everything that hashes or compares a password. */
  loginQueue: LoginQueue;
  /** Renders texts; in a server, in worker threads. */
  workers: Workers;
  /** The queue of pictures to encode. */
  pictureQueue: TaskQueue;
  /** The queue of social cards to draw. */
  cardQueue: BoundedQueue;
  /** Limits the memory of the forms that are read at the same time. */
  formBudget: ByteBudget;
  /** Portions of the sitemap that need not be read again. */
  sitemapPortions: KeptPortions;
  /** Copies of the database that show the site at other instants. */
  scratchSites: ScratchSites;
  /** Set while a page is rendered for the page cache: every read of public content records its keys. */
  recordKeys?: RecordKeys;
  /** Set while only public content is read: values that many pages need are read once and shared. */
  sharedReads?: SharedReads;
}

/** An `App` without database, clock, log and search engine. */
export type AppServices = Omit<App, 'db' | 'clock' | 'log' | 'search'>;
