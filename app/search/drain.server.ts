import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { readDocuments } from './document.server.ts';
import type { CallOptions, DocumentFailure } from './engine.ts';
import { leaseHolder, takeLease, type Lease } from './lease.server.ts';
import { markDirty } from './mark-dirty.server.ts';
import { makeLostIndex } from './make-lost-index.server.ts';

export type SearchApp = Pick<App, 'db' | 'clock' | 'log' | 'search'>;

const BATCH_SIZE = 100;
const LEASE_MS = 10_000;
/** An engine that has just failed must answer within this before anything is read for it. */
const PROBE_MS = 300;
const BACKOFF_FIRST_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60 * 1_000;

export interface DrainBudget {
  /** Milliseconds that one call of the engine may take. */
  callMs: number;
  /** From then on it goes on only while the engine answers quickly. */
  slowMs: number;
  /** From then on it stops between two batches. */
  totalMs: number;
  retryAll: boolean;
}

export interface DrainReport {
  /** Documents written. */
  written: number;
  /** Documents removed, or that were not there. */
  removed: number;
  refused: DocumentFailure[];
  /** Why it ended before everything was done; null when nothing was left but refused documents. */
  reason: string | null;
}

/** Engines whose last drain failed in this process. */
const troubled = new WeakSet<App['search']>();

/**
 * Drains until nothing is due. Only the holder of the lease writes to the engine, so a drain that read an older
 * version of a post cannot overtake one that read a newer version.
 * @throws what the engine or the database throws; marks stay then.
 */
export async function drainUnderLease(app: SearchApp, budget: DrainBudget): Promise<DrainReport> {
  const drain = new Drain(app, budget);
  try {
    const report = await drain.run();
    troubled.delete(app.search);
    return report;
  } catch (error) {
    troubled.add(app.search);
    throw error;
  }
}

interface Mark {
  postId: string;
  marker: string;
  attempts: number;
}

class Drain {
  readonly #app: SearchApp;
  readonly #budget: DrainBudget;
  readonly #started = performance.now();
  readonly #report: DrainReport = { written: 0, removed: 0, refused: [], reason: null };
  #lastCallMs = 0;

  constructor(app: SearchApp, budget: DrainBudget) {
    this.#app = app;
    this.#budget = budget;
  }

  async run(): Promise<DrainReport> {
    // A trigger looks after the index also when nothing waits.
    let isNeeded = this.#budget.retryAll || (await this.#nextBatch('', false)).length > 0;
    while (isNeeded) {
      const lease = await takeLease(this.#app, 'search-drain', LEASE_MS);
      if (lease) await this.#runHolding(lease);
      // Another drains; it may have looked before our marks were there, so wait and look again.
      else await sleep(15 + Math.random() * 30);
      isNeeded = (await this.#nextBatch('', false)).length > 0;
      if (isNeeded && this.#isOver()) return { ...this.#report, reason: 'The time for it was over' };
    }
    return this.#report;
  }

  async #runHolding(lease: Lease): Promise<void> {
    try {
      if (troubled.has(this.#app.search)) await this.#app.search.check({ timeoutMs: PROBE_MS });
      await makeLostIndex(this.#app, this.#call(), { anySize: this.#budget.retryAll });
      // In id order and past what was just tried: marks that stay are met once a drain.
      for (let after = ''; ;) {
        const marks = await this.#nextBatch(after, this.#budget.retryAll);
        if (marks.length === 0 || this.#isOver()) return;
        after = marks.at(-1)!.postId;
        if (!(await this.#drainBatch(lease, marks))) return;
      }
    } finally {
      await lease.release();
    }
  }

  /** False when the lease was lost. */
  async #drainBatch(lease: Lease, marks: Mark[]): Promise<boolean> {
    const { search } = this.#app;
    const readAt = performance.now();
    const ids = marks.map(({ postId }) => postId);
    // Read as they are now: published means upsert, anything else means remove.
    const documents = await readDocuments(this.#app, ids);
    const published = new Set(documents.map(({ id }) => id));
    const gone = ids.filter((id) => !published.has(id));
    // Stopped for a while between reading and writing: another may hold the lease by now.
    if (performance.now() - readAt > LEASE_MS / 4 && !(await lease.extend())) return false;
    const calledAt = performance.now();
    const refused = documents.length > 0 ? await search.upsert(documents, this.#call()) : [];
    if (gone.length > 0) await search.remove(gone, this.#call());
    this.#lastCallMs = performance.now() - calledAt;
    this.#report.written += documents.length - refused.length;
    this.#report.removed += gone.length;
    this.#report.refused.push(...refused);
    return this.#settle(lease, marks, refused);
  }

  /**
   * Forgets the marks, unless their posts were marked again since or a rebuild wants them too. Without the lease
   * another drain may have written something newer before our write, so the posts are marked once more.
   */
  async #settle(lease: Lease, marks: Mark[], refused: DocumentFailure[]): Promise<boolean> {
    const { app, reasons } = {
      app: this.#app,
      reasons: new Map(refused.map(({ id, reason }) => [id, reason])),
    };
    const done = marks.filter(({ postId }) => !reasons.has(postId));
    const isHeld = await inTransaction(app.db, async (tx) => {
      if (!(await lease.extend(tx))) {
        await markDirty(
          tx,
          app.clock,
          marks.map(({ postId }) => postId),
        );
        return false;
      }
      const rebuild = await leaseHolder({ db: tx, clock: app.clock }, 'search-rebuild');
      if (rebuild) await tx.searchOutbox.updateMany({ where: sameMarks(done), data: { keptFor: rebuild } });
      else await tx.searchOutbox.deleteMany({ where: sameMarks(done) });
      return true;
    });
    for (const mark of marks) {
      const reason = reasons.get(mark.postId);
      if (reason !== undefined && isHeld) await this.#postpone(mark, reason);
    }
    return isHeld;
  }

  // A refused document does not hold up the others; it is tried again later, and by every trigger.
  async #postpone(mark: Mark, reason: string): Promise<void> {
    const { db, clock, log } = this.#app;
    log.error({ postId: mark.postId, reason }, 'The search engine refused a post');
    const wait = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(mark.attempts, 20));
    await db.searchOutbox.updateMany({
      where: sameMarks([mark]),
      data: {
        attempts: { increment: 1 },
        nextAttemptAt: new Date(clock.now().getTime() + wait),
        lastError: reason.slice(0, 500),
      },
    });
  }

  async #nextBatch(afterId: string, retryAll: boolean): Promise<Mark[]> {
    const { db, clock } = this.#app;
    const due = { OR: [{ nextAttemptAt: null }, { nextAttemptAt: { lte: clock.now() } }] };
    const rebuild = await leaseHolder(this.#app, 'search-rebuild');
    return db.searchOutbox.findMany({
      where: {
        postId: { gt: afterId },
        ...(rebuild ? { keptFor: { not: rebuild } } : {}),
        ...(retryAll ? {} : due),
      },
      orderBy: { postId: 'asc' },
      take: BATCH_SIZE,
      select: { postId: true, marker: true, attempts: true },
    });
  }

  #call(): CallOptions {
    return {
      timeoutMs: Math.max(100, Math.min(this.#budget.callMs, this.#budget.totalMs - this.#elapsed())),
    };
  }

  #isOver(): boolean {
    const isSlow = this.#elapsed() > this.#budget.slowMs && this.#lastCallMs > this.#budget.callMs / 4;
    return isSlow || this.#elapsed() > this.#budget.totalMs;
  }

  #elapsed(): number {
    return performance.now() - this.#started;
  }
}

// Only the marks that were read: a newer mark of the same post has another marker.
function sameMarks(marks: Mark[]) {
  return {
    postId: { in: marks.map(({ postId }) => postId) },
    marker: { in: marks.map(({ marker }) => marker) },
  };
}
