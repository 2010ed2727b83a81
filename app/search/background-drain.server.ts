import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#app/platform/errors.ts';
import { Drain, type DrainApp, type DrainOptions } from './drain.server.ts';
import { LEASE_MS } from './lease.server.ts';

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
