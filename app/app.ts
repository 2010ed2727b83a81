import type { Stored } from '#app/media/store/media-store.ts';
import type { OpenPosts } from '#app/people/open-posts.ts';
import type { Hashing } from '#app/people/passwords/queue.server.ts';
import type { Cards, Configured, Forms, Logged, Pictures, Reading, Timed } from '#app/platform/services.ts';
import type { Drained } from '#app/search/drain.server.ts';
import type { Searched } from '#app/search/engine.ts';
import type { ScratchSites } from '#app/time-travel/scratch-sites.server.ts';
import type { Workers } from '#app/workers/workers.server.ts';
import type { Effectful } from './effects/effect-app.ts';

type OfPlatform = Timed & Configured & Logged & Reading & Pictures & Cards & Forms;

/**
 * The services of a process, built once by `compose.server.ts`. What is below this file asks for those that it needs
 * (`Db & Logged`), so that a test builds them with a fake clock and a temporary database.
 */
export interface App extends OfPlatform, Stored, Hashing, Searched, Drained, Effectful {
  /** Renders texts; in a server, in worker threads. */
  workers: Workers;
  openPosts: OpenPosts;
  /** Copies of the database that show the site at other instants. */
  scratchSites: ScratchSites<App>;
}

/** An `App` without database, clock, log and search engine. */
export type AppServices = Omit<App, 'db' | 'clock' | 'log' | 'search'>;
