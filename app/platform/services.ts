import type { Database } from '#app/platform/database/client.server.ts';
import type { ByteBudget, BoundedQueue, Mutex } from '#app/platform/jobs/concurrency.ts';
import type { SharedReads } from '#app/platform/http/shared-reads.ts';
import type { Clock } from './clock.ts';
import type { Env } from './env.server.ts';
import type { RecordKeys } from './http/page-keys.ts';
import type { Log } from './log.server.ts';

// What a function can ask for of the services of a process. Types are joined with `&`; the modules offer theirs beside
// what they are about (`Stored`, `Searched`, …), and `app.ts` joins all.

export interface Db {
  db: Database;
}

export interface Clocked {
  clock: Clock;
}

export interface Timed extends Db, Clocked {}

export interface Configured {
  env: Env;
}

export interface Logged {
  log: Log;
}

/** For reads of what public pages show. */
export interface Reading extends Db {
  /** Set while a page is rendered for the page cache: every read of public content records its keys. */
  recordKeys?: RecordKeys;
  /** Set while only public content is read: values that many pages need are read once and shared. */
  sharedReads?: SharedReads;
}

export interface Pictures {
  /** The queue of pictures to encode. */
  pictureQueue: Mutex;
}

export interface Cards {
  /** The queue of social cards to draw. */
  cardQueue: BoundedQueue;
}

export interface Forms {
  /** Limits the memory of the forms that are read at the same time. */
  formBudget: ByteBudget;
}
