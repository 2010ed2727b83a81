import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import { inTransaction } from '#app/platform/transaction.server.ts';
import { countPosts } from '#app/posts/post-counts.server.ts';
import { compareIndex } from './compare-index.server.ts';
import { readDocuments } from './document.server.ts';
import type { CallOptions, IndexState, SearchDocument } from './engine.ts';
import { takeLease, type Lease } from './lease.server.ts';
import {
  BATCH_SIZE,
  deleteEntries,
  enqueue,
  isAnyDue,
  postpone,
  readEntries,
  type Entry,
} from './outbox.server.ts';

export type DrainApp = Pick<App, 'db' | 'clock' | 'log' | 'search'>;

/** Characters of one call, so that an engine in good health takes them in a fraction of its time. */
const PART_CHARACTERS = 500_000;

/** How long a drain may take, in milliseconds. */
export interface Patience {
  /** One call of the engine. */
  callMs: number;
  /** After a call that took longer, the drain ends. */
  slowMs: number;
  /** For another process to release the lease: longer than a dead one's lease lasts. */
  leaseMs: number;
  /** All of it. */
  totalMs: number;
  /** Also looks whether there is an index when nothing waits, and tries what was refused. */
  thorough: boolean;
  /** Compares how many documents the index has with how many it should have. */
  countsDocuments: boolean;
}

export interface DrainReport {
  /** Posts that the index now has as they are, or no longer has. */
  taken: string[];
  /** Post → why the engine refused it. */
  refused: Map<string, string>;
  /** Why it ended before everything was done; null when nothing is left but refused documents. */
  reason: string | null;
}

/** Brings the index in line with the outbox; decision 007 says why no change is lost or overtaken. */
export class Drain {
  readonly #app: DrainApp;
  readonly #patience: Patience;
  readonly #startedAt = performance.now();
  readonly report: DrainReport = { taken: [], refused: new Map(), reason: null };
  readonly #takeHanded: () => Lease | null;
  #isEngineSlow = false;

  /** @param takeHanded gives a lease that a save has taken for this process, once */
  constructor(app: DrainApp, patience: Patience, takeHanded: () => Lease | null = () => null) {
    this.#app = app;
    this.#patience = patience;
    this.#takeHanded = takeHanded;
  }

  /** Drains until nothing is due. @throws what the engine or the database throws; the entries stay then. */
  async run(): Promise<DrainReport> {
    try {
      return await this.#untilNothingIsDue();
    } finally {
      await this.#takeHanded()?.release();
    }
  }

  async #untilNothingIsDue(): Promise<DrainReport> {
    let isFirst = true;
    while ((isFirst && this.#patience.thorough) || (await isAnyDue(this.#app))) {
      // Before it has the lease: an engine that hangs must not keep it from others.
      const state = await this.#call((call) => this.#app.search.describe(call));
      if (this.#isOver()) return { ...this.report, reason: 'The time for it was over' };
      const lease = await this.#waitForLease({ also: isFirst && this.#patience.thorough });
      if (lease) await lease.during(() => this.#holding(lease, state, isFirst));
      else if (await isAnyDue(this.#app)) return { ...this.report, reason: 'Another process drains' };
      isFirst = false;
    }
    return this.report;
  }

  /**
   * One pass in id order, which meets each entry once.
   * @param options.release the lease is not needed after it: it may be given back before the end
   * @returns false when the lease was lost or the time is over.
   */
  async pass(lease: Lease, { all, release }: { all: boolean; release?: boolean }): Promise<boolean> {
    for (let after = ''; ;) {
      const entries = await readEntries(this.#app, after, { all });
      if (entries.length === 0) return true;
      after = entries.at(-1)!.postId;
      // Read after the entries: published means upsert, anything else means remove.
      const ids = entries.map(({ postId }) => postId);
      const parts = [...partsOf(entries, await readDocuments(this.#app, ids))];
      for (const part of parts) {
        // With the last entries that waited the lease goes too: one commit less.
        const isLast = part === parts.at(-1) && entries.length < BATCH_SIZE;
        const options = { release: release === true && isLast };
        if (this.#isOver() || !(await this.#write(lease, part, options))) return false;
      }
      if (lease.isReleased) return true;
    }
  }

  async #waitForLease({ also }: { also: boolean }): Promise<Lease | null> {
    const startedAt = performance.now();
    for (let pause = 20; ; pause = Math.min(500, pause * 1.5)) {
      const lease = this.#takeHanded() ?? (await takeLease(this.#app));
      if (lease || performance.now() - startedAt > this.#patience.leaseMs) return lease;
      await sleep(pause * (0.5 + Math.random()));
      // Whoever holds it may have done our part.
      if (!also && !(await isAnyDue(this.#app))) return null;
    }
  }

  async #holding(lease: Lease, before: IndexState | null, isFirst: boolean): Promise<void> {
    const isThorough = this.#patience.thorough && isFirst;
    if (before?.id !== lease.index) await this.#adoptIndex(lease);
    const counts = this.#patience.countsDocuments && isFirst;
    const isDone = await this.pass(lease, { all: isThorough, release: !counts });
    if (!isDone || !counts || !(await this.#isFallenBack())) return;
    this.#app.log.warn('The search index holds another number of posts than it should; repairing it');
    await this.#enqueue((await compareIndex(this.#app)).different);
    await this.pass(lease, { all: false });
  }

  /**
   * Meets an index that the outbox was not kept for (new, lost and made again, another engine's): puts all that it
   * lacks into the outbox, then remembers it. Killed in between, it is done again.
   */
  async #adoptIndex(lease: Lease): Promise<void> {
    const describe = () => this.#call((call) => this.#app.search.describe(call));
    // Again: a rebuild may have ended before the lease was ours.
    let state = await describe();
    if (!state) {
      await this.#call((call) => this.#app.search.createIndex(call));
      state = await describe();
    }
    if (!state || state.id === lease.index) return;
    await this.#enqueue((await compareIndex(this.#app)).different);
    await lease.remember(state.id);
  }

  /** Whether documents are gone or too many, as after a restart of an engine that lost its last writes. */
  async #isFallenBack(): Promise<boolean> {
    const state = await this.#call((call) => this.#app.search.describe(call));
    if (!state || state.documentCount === null) return false;
    const { db } = this.#app;
    const [published, waiting] = [await countPosts({ db }), await db.searchOutbox.count()];
    return Math.abs(state.documentCount - published) > waiting;
  }

  /** @returns false when the lease was lost. */
  async #write(lease: Lease, { entries, documents }: Part, options: { release: boolean }): Promise<boolean> {
    const { search, log } = this.#app;
    const ids = entries.map(({ postId }) => postId);
    let refused;
    try {
      refused = await this.#call((call) =>
        documents.length > 0 ? search.upsert(documents, call) : search.remove(ids, call).then(() => []),
      );
    } catch (error) {
      // The engine may have it all the same, after something newer that the next holder wrote.
      if (!(await lease.extend())) await this.#enqueue(ids);
      throw error;
    }
    const failures = new Map(refused.map((failure) => [failure.id, failure]));
    const accepted = entries.filter(({ postId }) => !failures.has(postId));
    const deleted = await deleteEntries(this.#app, lease, accepted, options);
    // Changed meanwhile, or written without the lease, perhaps over something newer: once more.
    const again = accepted.filter(({ postId }) => !deleted.has(postId)).map(({ postId }) => postId);
    await this.#enqueue(again);
    this.report.taken.push(...deleted);
    for (const entry of entries) {
      const failure = failures.get(entry.postId);
      if (!failure) continue;
      log.error({ postId: entry.postId, reason: failure.reason }, 'The search engine refused a post');
      this.report.refused.set(entry.postId, failure.reason);
      await postpone(this.#app, entry, failure);
    }
    return again.length === 0 || lease.extend();
  }

  async #enqueue(postIds: string[]): Promise<void> {
    const { db, clock } = this.#app;
    if (postIds.length > 0) await inTransaction(db, (tx) => enqueue(tx, clock, postIds));
  }

  async #call<T>(work: (options: CallOptions) => Promise<T>): Promise<T> {
    const calledAt = performance.now();
    try {
      return await work({ timeoutMs: this.#patience.callMs });
    } finally {
      this.#isEngineSlow = performance.now() - calledAt > this.#patience.slowMs;
    }
  }

  #isOver(): boolean {
    return this.#isEngineSlow || performance.now() - this.#startedAt > this.#patience.totalMs;
  }
}

/** The entries of one call, with the documents to write; without any, the posts are to be removed. */
interface Part {
  entries: Entry[];
  documents: SearchDocument[];
}

function* partsOf(entries: Entry[], documents: SearchDocument[]): Generator<Part> {
  const left = new Map(entries.map((entry) => [entry.postId, entry]));
  let part: Part = { entries: [], documents: [] };
  let characters = 0;
  for (const document of documents) {
    if (part.documents.length > 0 && characters + document.body.length > PART_CHARACTERS) {
      yield part;
      [part, characters] = [{ entries: [], documents: [] }, 0];
    }
    part.documents.push(document);
    part.entries.push(left.get(document.id)!);
    characters += document.body.length;
    left.delete(document.id);
  }
  if (part.documents.length > 0) yield part;
  if (left.size > 0) yield { entries: [...left.values()], documents: [] };
}
