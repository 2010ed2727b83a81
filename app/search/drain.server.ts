import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { inChunksByWeight } from '#app/platform/jobs/event-loop.server.ts';
import type { Logged, Timed } from '#app/platform/services.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { compareIndex } from './compare-index.server.ts';
import { readDocuments } from './document.server.ts';
import type { CallOptions, DocumentFailure, IndexState, SearchDocument, Searched } from './engine.ts';
import { takeLease, type Lease } from './lease.server.ts';
import * as outbox from './outbox.server.ts';

export type DrainApp = Timed & Logged & Searched;

/** Characters of one call. A healthy engine takes them in a fraction of its time limit. */
const CALL_CHARACTERS = 500_000;
/** Time between two tries to take a lease that another process holds. */
const LEASE_POLL_MS = 100;

export interface DrainOptions extends CallOptions {
  /** Milliseconds after which the drain ends between two calls of the engine. */
  totalMs?: number;
  /** Also checks the index when nothing is due, and retries refused documents. */
  isThorough?: boolean;
}

/** Updates the index with the posts of the outbox. Decision 007 says why no change is lost or overtaken. */
export class Drain {
  /** Posts whose last change the index has. */
  readonly taken: string[] = [];
  readonly #app: DrainApp;
  readonly #options: DrainOptions;
  readonly #endsAt: number;

  constructor(app: DrainApp, options: DrainOptions = {}) {
    this.#app = app;
    this.#options = options;
    this.#endsAt = performance.now() + (options.totalMs ?? Infinity);
  }

  /**
   * Drains until nothing is due.
   * @returns the reason why it ended early; null when only refused documents are left
   * @throws the errors of the engine or the database; the entries stay then.
   */
  async run(): Promise<string | null> {
    let { isThorough = false } = this.#options;
    if (isThorough) await outbox.retryRefused(this.#app);
    while (isThorough || (await outbox.isAnyDue(this.#app))) {
      // Before taking the lease: an engine that hangs must not block others.
      const state = await this.#app.search.describe(this.#options);
      const lease = await this.#waitForLease();
      await lease?.during(async () => {
        if (isThorough || state?.id !== lease.index) await this.#checkIndex(lease);
        await this.pass(lease, { release: true });
      });
      if (this.#isOver) return 'The time for it was over';
      isThorough = false;
    }
    return null;
  }

  /**
   * Writes due entries, until a batch is not full.
   * @param options.release gives the lease back with the last entries
   * @returns false when the lease was lost or the time is over
   */
  async pass(lease: Lease, { release = false } = {}): Promise<boolean> {
    for (;;) {
      const entries = await outbox.readDueEntries(this.#app);
      const isLastBatch = entries.length < outbox.BATCH_SIZE;
      // Read after the entries: a post that is published now is written, any other is removed.
      const documents = await readDocuments(
        this.#app,
        entries.map(({ postId }) => postId),
      );
      const calls = callsFor(entries, documents);
      for (const call of calls) {
        const isLast = isLastBatch && call === calls.at(-1);
        if (this.#isOver || !(await this.#write(lease, call, { release: release && isLast }))) return false;
      }
      if (isLastBatch) return true;
    }
  }

  /** The lease; null when others have drained meanwhile, or when the time is over. */
  async #waitForLease(): Promise<Lease | null> {
    for (;;) {
      const lease = await takeLease(this.#app);
      if (lease || this.#isOver) return lease;
      await sleep(LEASE_POLL_MS);
      if (!(await outbox.isAnyDue(this.#app))) return null;
    }
  }

  /**
   * Enqueues all posts that the index lacks, if it is not the index for which the outbox was kept (it is new,
   * recreated, or another engine's), or if it has lost writes. After a kill in between, the next drain does it again.
   */
  async #checkIndex(lease: Lease): Promise<void> {
    const { search, log } = this.#app;
    // Asked again under the lease: a rebuild may have ended meanwhile.
    let state = await search.describe(this.#options);
    if (!state) {
      await search.createIndex(this.#options);
      state = await search.describe(this.#options);
    }
    if (!state) return;
    const isKept = state.id === lease.index;
    if (isKept && !(await this.#hasLostWrites(state))) return;
    if (isKept) log.warn('The search index has a wrong number of posts; repairing it');
    await this.#enqueue((await compareIndex(this.#app)).different);
    await lease.remember(state.id);
  }

  /** Whether the number of documents is wrong by more than the waiting entries explain, as after a hard restart. */
  async #hasLostWrites({ documentCount }: IndexState): Promise<boolean> {
    if (documentCount === null) return false;
    const { db } = this.#app;
    const published = await countPosts({ db });
    return Math.abs(documentCount - published) > (await db.searchOutbox.count());
  }

  /** @returns false when the lease was lost. */
  async #write(lease: Lease, { entries, documents }: Call, options: { release: boolean }): Promise<boolean> {
    const { search, log } = this.#app;
    const ids = entries.map(({ postId }) => postId);
    let refused: DocumentFailure[] = [];
    try {
      if (documents.length > 0) refused = await search.upsert(documents, this.#options);
      else await search.remove(ids, this.#options);
    } catch (error) {
      // The engine may still have taken it, over something newer that the next holder of the lease wrote.
      if (!(await lease.extend())) await this.#enqueue(ids);
      throw error;
    }
    for (const { id, reason } of refused) {
      log.error({ postId: id, reason }, 'The search engine refused a post');
      await outbox.postpone(
        this.#app,
        entries.find(({ postId }) => postId === id)!,
        reason,
      );
    }
    const accepted = entries.filter(({ postId }) => !refused.some(({ id }) => id === postId));
    const deleted = await outbox.deleteEntries(this.#app, lease, accepted, options);
    this.taken.push(...deleted);
    if (deleted.size === accepted.length) return true;
    // These posts changed meanwhile, or were written without the lease, perhaps over something newer. They are written
    // again.
    await this.#enqueue(accepted.map(({ postId }) => postId).filter((id) => !deleted.has(id)));
    return lease.extend();
  }

  async #enqueue(postIds: string[]): Promise<void> {
    const { db, clock } = this.#app;
    if (postIds.length > 0) await inTransaction(db, (tx) => outbox.enqueue(tx, clock, postIds));
  }

  get #isOver(): boolean {
    return performance.now() > this.#endsAt;
  }
}

/** The entries of one call of the engine, with the documents to write. Without documents, the posts are removed. */
interface Call {
  entries: outbox.Entry[];
  documents: SearchDocument[];
}

function callsFor(entries: outbox.Entry[], documents: SearchDocument[]): Call[] {
  const waiting = new Map(entries.map((entry) => [entry.postId, entry]));
  const entryOf = ({ id }: SearchDocument) => waiting.get(id)!;
  const calls = inChunksByWeight(documents, CALL_CHARACTERS, ({ body }) => body.length).map((part) => ({
    documents: part,
    entries: part.map(entryOf),
  }));
  for (const { id } of documents) waiting.delete(id);
  return waiting.size > 0 ? [...calls, { documents: [], entries: [...waiting.values()] }] : calls;
}
