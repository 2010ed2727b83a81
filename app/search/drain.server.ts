import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '#app/platform/database/transaction.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { inChunksByWeight } from '#app/platform/jobs/event-loop.server.ts';
import type { Logged, Timed, Db } from '#app/platform/services.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { readDocuments, readDocumentIdsAfter, readDocumentsAfter } from './document.server.ts';
import type { CallOptions, DocumentFailure, IndexState, SearchDocument, Searched } from './engine.ts';
import * as outbox from './outbox.server.ts';
import { takeLease, type Lease, LEASE_MS } from './outbox.server.ts';

export type DrainApp = Timed & Logged & Searched;

/** Characters of one call. A healthy engine takes them in a fraction of its time limit. */
const CALL_CHARACTERS = 500_000;
/** Time between two tries to take a lease that another process holds. */
const LEASE_POLL_MS = 100;

interface DrainOptions extends CallOptions {
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

export interface Drained {
  /** Updates the search index after this process's saves. */
  drains: BackgroundDrains;
}

export type SearchApp = DrainApp & Drained;

/** A healthy engine answers within this time. A slower one must not delay saves and triggers. */
const timeoutMs = 1_000;
/** Absent: the engine's own time limit, and no other limit. */
const options = {
  save: { timeoutMs },
  // Shorter than the time limit of the trigger's callers.
  trigger: { timeoutMs, totalMs: 20_000, isThorough: true },
  command: { isThorough: true },
  retry: {},
} satisfies Record<string, DrainOptions>;
/** How long a save waits for the index. */
const SAVE_MS = 1_500;
/** Time between two tries in the background. */
const RETRY_MS = 1_000;

/**
 * Updates the index with the posts of the outbox, for a trigger or a command. Never throws: posts that the engine does
 * not take stay in the outbox, and after a trigger the server tries again until the outbox is empty.
 * @returns the reason why it ended early, which is also in the log, or null
 */
export async function drainOutbox(app: SearchApp, waiting: 'trigger' | 'command'): Promise<string | null> {
  const reason = await drain(app, options[waiting]);
  if (reason !== null) {
    app.log.warn({ reason }, 'The search index could not be updated; the changes wait in the outbox');
    if (waiting === 'trigger') app.drains.retry(app);
  }
  return reason;
}

function drain(app: DrainApp, drainOptions: DrainOptions): Promise<string | null> {
  return new Drain(app, drainOptions).run().catch(messageOf);
}

/** The drains of one process that follow its saves: one at a time, again after each failure, until nothing is due. */
export class BackgroundDrains {
  #running: Promise<void> | null = null;
  /** Begins when the running drain ends, for all saves that were committed meanwhile. */
  #next: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosing = false;

  /** Begins a drain that sees everything committed before this call. Waits for it, up to the time limit of a save. */
  async request(app: DrainApp): Promise<void> {
    const drained = this.#begin(app, options.save);
    if (!this.#isFailing) await Promise.race([drained, sleep(SAVE_MS, undefined, { ref: false })]);
  }

  /** Tries again soon. */
  retry(app: DrainApp): void {
    clearTimeout(this.#retry);
    if (!this.#isClosing)
      this.#retry = setTimeout(() => void this.#begin(app, options.retry), RETRY_MS).unref();
  }

  /** Resolves when no drain runs or is planned. */
  async ended(): Promise<void> {
    while (this.#next || this.#running || this.#isFailing)
      await (this.#next ?? this.#running ?? sleep(RETRY_MS));
  }

  /** Begins no more drains. Waits for the running one, as long as its lease would block other processes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    await Promise.race([this.#running, sleep(LEASE_MS, undefined, { ref: false })]);
  }

  #begin(app: DrainApp, drainOptions: DrainOptions): Promise<void> {
    return (this.#next ??= this.#run(app, drainOptions));
  }

  async #run(app: DrainApp, drainOptions: DrainOptions): Promise<void> {
    await this.#running;
    clearTimeout(this.#retry);
    this.#running = this.#next;
    this.#next = null;
    const reason = this.#isClosing ? null : await drain(app, drainOptions);
    this.#running = null;
    // Logs an outage once, not at each try.
    if (reason !== null && !this.#isFailing)
      app.log.warn({ reason }, 'The search index could not be updated; retrying until it can');
    this.#isFailing = reason !== null;
    if (this.#isFailing) this.retry(app);
  }
}

const PAGE = 200;

/** How the index differs from the database. */
export interface Comparison {
  sourceCount: number;
  indexedCount: number;
  /** Published, but not in the index. */
  missing: number;
  /** In the index with content that differs from the database. */
  stale: number;
  /** In the index, but not published. */
  orphaned: number;
  /** The posts that are missing, stale or orphaned. */
  different: string[];
}

/** Compares ids and content hashes of the index with the database. @throws engine errors. */
export async function compareIndex(app: Db & Searched): Promise<Comparison> {
  const hashes = new Map<string, string>();
  for await (const { id, hash } of app.search.entries()) hashes.set(id, hash);
  const comparison: Comparison = {
    sourceCount: 0,
    indexedCount: hashes.size,
    missing: 0,
    stale: 0,
    orphaned: 0,
    different: [],
  };
  // In an empty index all posts are missing, so their texts are not needed.
  const readPage = hashes.size === 0 ? readDocumentIdsAfter : readDocumentsAfter;
  for (let after = ''; ;) {
    const documents: { id: string; hash?: string }[] = await readPage(app, after, PAGE);
    if (documents.length === 0) break;
    after = documents.at(-1)!.id;
    comparison.sourceCount += documents.length;
    for (const { id, hash } of documents) {
      const indexed = hashes.get(id);
      hashes.delete(id);
      if (indexed === undefined) comparison.missing += 1;
      else if (indexed === hash) continue;
      else comparison.stale += 1;
      comparison.different.push(id);
    }
  }
  comparison.orphaned = hashes.size;
  comparison.different.push(...hashes.keys());
  return comparison;
}
