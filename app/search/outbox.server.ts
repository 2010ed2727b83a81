import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { messageOf } from '#app/platform/errors.ts';
import type { DrainLimits } from './drain-time.ts';
import { drainUnderLease, type DrainReport, type SearchApp } from './drain.server.ts';

export { enqueue } from './enqueue.server.ts';

/** An engine that is down or hangs delays a save or a trigger by no more than this. */
const DEADLINE_MS = 1_500;
/** How long a save's drain goes on behind it. */
const BEHIND_MS = 5_000;
/** How long a trigger goes on while the engine answers quickly. */
const TRIGGER_MS = 60_000;

export interface DrainOptions {
  /** Milliseconds after which the caller is let go; null waits for all of it. */
  deadlineMs?: number | null;
  /**
   * Every trigger's drain: tries also what was refused a while ago, makes an index that was lost, and goes on
   * past the deadline while the engine answers quickly.
   */
  retryAll?: boolean;
}

/**
 * Brings the index in line with the marked posts. Never throws: what the engine does not take stays marked and
 * follows with the next change or trigger; the reason is in the log.
 */
export async function drainOutbox(app: SearchApp, options: DrainOptions = {}): Promise<DrainReport> {
  const { deadlineMs = DEADLINE_MS, retryAll = false } = options;
  const drain = (limits: DrainLimits) => reported(app, () => drainUnderLease(app, { ...limits, retryAll }));
  if (deadlineMs === null) return drain({ callMs: 30_000, slowMs: Infinity, totalMs: Infinity });
  if (retryAll) return drain({ callMs: deadlineMs, slowMs: deadlineMs, totalMs: TRIGGER_MS });
  // Whoever saves is let go in time; the drain goes on for what others marked while it held the lease.
  const shared = followingDrain(app, () =>
    drain({ callMs: deadlineMs, slowMs: BEHIND_MS, totalMs: BEHIND_MS }),
  );
  const late = sleep(deadlineMs, { ...noReport, reason: 'The drain goes on' }, { ref: false });
  return Promise.race([shared, late]);
}

const noReport: DrainReport = { written: 0, removed: 0, refused: [], reason: null };

async function reported(app: SearchApp, drain: () => Promise<DrainReport>): Promise<DrainReport> {
  try {
    return await drain();
  } catch (error) {
    const reason = messageOf(error);
    app.log.warn({ reason }, 'The search index could not follow; it will with the next change or trigger');
    return { ...noReport, reason };
  }
}

// Of many saves at once in one process one drains and one waits; what that one finds is for all of them.
const drains = new WeakMap<App['db'], { running: Promise<unknown>; following?: Promise<DrainReport> }>();

function followingDrain(app: SearchApp, drain: () => Promise<DrainReport>): Promise<DrainReport> {
  const state = drains.get(app.db);
  if (state?.following) return state.following;
  const start = (): Promise<DrainReport> => {
    const running = drain().finally(() => {
      if (drains.get(app.db)?.running === running && !drains.get(app.db)?.following) drains.delete(app.db);
    });
    drains.set(app.db, { running });
    return running;
  };
  if (!state) return start();
  state.following = state.running.then(start, start);
  return state.following;
}

/** How long whoever ends waits for drains that a save has left behind. */
const CLOSING_MS = 5_000;

/** Resolves when no drain of this process runs on this database, or after a few seconds. */
export async function drainsEnded(db: App['db']): Promise<void> {
  const started = performance.now();
  for (let state = drains.get(db); state; state = drains.get(db)) {
    const left = CLOSING_MS - (performance.now() - started);
    if (left <= 0) return;
    await Promise.race([state.following ?? state.running, sleep(left, undefined, { ref: false })]);
  }
}
