import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { readDocuments } from './document.server.ts';
import { DrainTime, type DrainLimits } from './drain-time.ts';
import type { DocumentFailure, SearchDocument } from './engine.ts';
import { DRAIN_HEARTBEAT_MS, DRAIN_LEASE_MS, HolderWatch } from './holder-watch.server.ts';
import { leaseHolder, takeLease, whileExtending, type Lease } from './lease.server.ts';
import { enqueue } from './enqueue.server.ts';
import { makeLostIndex } from './make-lost-index.server.ts';

export type SearchApp = Pick<App, 'db' | 'clock' | 'log' | 'search'>;

const BATCH_SIZE = 100;
/** Characters of one call, so that an engine which is healthy takes them in a fraction of its time. */
const PART_CHARACTERS = 500_000;
/** An engine that has just failed must answer a save within this before anything is read for it. */
const PROBE_MS = 300;
/** How often a drain that was stopped for a while begins anew. */
const RESTARTS_MAX = 5;
const BACKOFF_FIRST_MS = 30_000;
const BACKOFF_MAX_MS = 60 * 60 * 1_000;

export interface DrainPlan extends DrainLimits {
  /** A trigger's or command's: looks after the index also when nothing waits, and tries what was refused. */
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
const circuitOpen = new WeakSet<App['search']>();

/**
 * Drains until nothing is due. Only the holder of the lease writes to the engine, so a drain that read an older
 * version of a post cannot overtake one that read a newer version; one that was stopped for so long that it lost
 * the lease writes its posts once more.
 * @throws what the engine or the database throws; marks stay then.
 */
export async function drainUnderLease(app: SearchApp, plan: DrainPlan): Promise<DrainReport> {
  const drain = new Drain(app, plan);
  try {
    const report = await drain.run();
    circuitOpen.delete(app.search);
    return report;
  } catch (error) {
    circuitOpen.add(app.search);
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
  readonly #retryAll: boolean;
  readonly #time: DrainTime;
  readonly #report: DrainReport = { written: 0, removed: 0, refused: [], reason: null };
  #restarts = 0;

  constructor(app: SearchApp, plan: DrainPlan) {
    this.#app = app;
    this.#retryAll = plan.retryAll;
    this.#time = new DrainTime(plan);
  }

  async run(): Promise<DrainReport> {
    // A turn for others that wait for the lease too.
    const turn = () => sleep(15 + Math.random() * 30);
    const others = new HolderWatch(this.#app, 'search-drain');
    let mustHold = this.#retryAll;
    let isMore = (await this.#nextBatch('', false)).length > 0;
    while (mustHold || isMore) {
      if (this.#time.isOver() && !others.holderIsDead)
        return { ...this.#report, reason: 'The time for it was over' };
      const lease = await takeLease(this.#app, 'search-drain', DRAIN_LEASE_MS);
      if (!lease) {
        // Another drains; it may have looked before our marks were there, so wait and look again.
        await this.#time.wait(async () => {
          await turn();
          await others.look();
        });
        isMore = (await this.#nextBatch('', false)).length > 0;
        continue;
      }
      // Whoever was killed or stopped while holding it drains nothing for us.
      if (others.holderIsDead) this.#restart();
      others.forget();
      await this.#runHolding(lease);
      mustHold = false;
      isMore = (await this.#nextBatch('', false)).length > 0;
      if (isMore) await turn();
    }
    return this.#report;
  }

  async #runHolding(lease: Lease): Promise<void> {
    const { search } = this.#app;
    try {
      await whileExtending([lease], DRAIN_HEARTBEAT_MS, async () => {
        if (!this.#retryAll && circuitOpen.has(search)) await search.hasIndex({ timeoutMs: PROBE_MS });
        await makeLostIndex(this.#app, (work) => this.#time.call(work, { light: true }), {
          anySize: this.#retryAll,
        });
        // In id order and past what was just tried: marks that stay are met once a drain.
        for (let after = ''; ;) {
          const marks = await this.#nextBatch(after, this.#retryAll);
          if (marks.length === 0 || this.#time.isOver()) return;
          after = marks.at(-1)!.postId;
          if (!(await this.#drainBatch(lease, marks))) return;
        }
      });
    } finally {
      await lease.release();
    }
  }

  /** False when the lease was lost or the time is over. */
  async #drainBatch(lease: Lease, marks: Mark[]): Promise<boolean> {
    let since = performance.now();
    // Read as they are now: published means upsert, anything else means remove.
    const documents = await readDocuments(
      this.#app,
      marks.map(({ postId }) => postId),
    );
    for (const part of partsOf(marks, documents)) {
      const isHeld = await this.#drainPart(lease, part, since);
      if (!isHeld || wasStopped(since)) this.#restart();
      if (!isHeld || this.#time.isOver()) return false;
      since = performance.now();
    }
    return true;
  }

  /** False when the lease was lost. */
  async #drainPart(lease: Lease, { marks, documents }: Part, since: number): Promise<boolean> {
    const { search } = this.#app;
    // Another may hold the lease by now, and have written something newer than what was read here.
    if (wasStopped(since) && !(await lease.extend())) return false;
    const ids = marks.map(({ postId }) => postId);
    const characters = documents.reduce((sum, { body }) => sum + body.length, 0);
    const refused = await this.#time.call(
      (call) =>
        documents.length > 0 ? search.upsert(documents, call) : search.remove(ids, call).then(() => []),
      { characters },
    );
    this.#report.written += documents.length - refused.length;
    this.#report.removed += documents.length > 0 ? 0 : marks.length;
    this.#report.refused.push(...refused);
    return this.#settle(lease, marks, refused);
  }

  /**
   * Forgets the marks, unless their posts were marked again since or a rebuild wants them too. Without the lease
   * another drain may have written something newer before our write, so the posts are marked once more.
   */
  async #settle(lease: Lease, marks: Mark[], refused: DocumentFailure[]): Promise<boolean> {
    const { db, clock } = this.#app;
    const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
    const done = marks.filter(({ postId }) => !reasons.has(postId));
    const isHeld = await inTransaction(db, async (tx) => {
      if (!(await lease.extend(tx))) {
        const postIds = marks.map(({ postId }) => postId);
        await enqueue(tx, clock, postIds);
        return false;
      }
      const rebuild = await leaseHolder({ db: tx, clock }, 'search-rebuild');
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

  #restart(): void {
    if (this.#restarts === RESTARTS_MAX) return;
    this.#restarts += 1;
    this.#time.restart();
  }
}

/** The marks of one call, with the documents to write; without any, the posts are to be removed. */
interface Part {
  marks: Mark[];
  documents: SearchDocument[];
}

function* partsOf(marks: Mark[], documents: SearchDocument[]): Generator<Part> {
  const marksById = new Map(marks.map((mark) => [mark.postId, mark]));
  let part: Part = { marks: [], documents: [] };
  let characters = 0;
  for (const document of documents) {
    if (part.documents.length > 0 && characters + document.body.length > PART_CHARACTERS) {
      yield part;
      part = { marks: [], documents: [] };
      characters = 0;
    }
    part.documents.push(document);
    part.marks.push(marksById.get(document.id)!);
    characters += document.body.length;
    marksById.delete(document.id);
  }
  if (part.documents.length > 0) yield part;
  if (marksById.size > 0) yield { marks: [...marksById.values()], documents: [] };
}

// An engine that is merely slow is given up sooner.
function wasStopped(since: number): boolean {
  return performance.now() - since > DRAIN_LEASE_MS / 2;
}

// Only the marks that were read: a newer mark of the same post has another marker.
function sameMarks(marks: Mark[]) {
  return {
    postId: { in: marks.map(({ postId }) => postId) },
    marker: { in: marks.map(({ marker }) => marker) },
  };
}
