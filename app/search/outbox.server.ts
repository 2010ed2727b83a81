import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { messageOf } from '#app/platform/errors.ts';
import { drainUnderLease, type DrainReport, type SearchApp } from './drain.server.ts';

export { markDirty } from './mark-dirty.server.ts';

/** An engine that is down or hangs delays a save or a trigger by no more than this. */
const DEADLINE_MS = 1_500;
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
  const budget = {
    callMs: deadlineMs ?? 30_000,
    slowMs: deadlineMs ?? Infinity,
    totalMs: deadlineMs === null ? Infinity : retryAll ? TRIGGER_MS : deadlineMs,
  };
  if (deadlineMs === null || retryAll)
    return reported(app, () => drainUnderLease(app, { ...budget, retryAll }));
  const shared = followingDrain(app, () =>
    reported(app, () => drainUnderLease(app, { ...budget, retryAll })),
  );
  // Whoever waits behind another drain of this process is let go in time; that drain ends by its own budget.
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
