import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { Drain, type DrainApp, type DrainOptions } from './drain.server.ts';
import { LEASE_MS, takeLease, type Lease } from './lease.server.ts';

export type SearchApp = DrainApp & Pick<App, 'drains'>;

/** A healthy engine answers within this time; a slower one must not delay saves and triggers. */
const timeoutMs = 1_000;
/** What differs from the engine's own time limit and no other limit. */
const options = {
  save: { timeoutMs },
  // Shorter than the time limit of what calls the trigger.
  trigger: { timeoutMs, totalMs: 20_000, isThorough: true },
  command: { isThorough: true },
  retry: {},
} satisfies Record<string, DrainOptions>;
/** A save waits no longer for the index. */
const SAVE_MS = 1_500;
/** Between two tries in the background. */
const RETRY_MS = 1_000;

/**
 * Brings the index in line with the outbox, for a trigger or a command. Never throws: what the engine does not take
 * stays in the outbox, and after a trigger the server tries it again until nothing waits.
 * @returns why it ended before everything was done, which is in the log too, or null
 */
export async function drainOutbox(app: SearchApp, waiting: 'trigger' | 'command'): Promise<string | null> {
  const reason = await drain(app, options[waiting]);
  if (reason !== null) {
    app.log.warn({ reason }, 'The search index could not be updated; the changes wait in the outbox');
    if (waiting === 'trigger') app.drains.retry(app);
  }
  return reason;
}

function drain(app: DrainApp, how: DrainOptions, lease: Lease | null = null): Promise<string | null> {
  return new Drain(app, how).run(lease).catch(messageOf);
}

/** The drains of one process that follow its saves: one at a time, again after each failure, until nothing waits. */
export class BackgroundDrains {
  #running: Promise<void> | null = null;
  /** Begins when the running one ends, for all saves that were committed meanwhile. */
  #next: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosing = false;

  /**
   * Takes the lease in the transaction of a save, for the `request` that follows the commit: one commit less. Null
   * while a drain runs, which has the lease or waits for it, and in an outage, in which others shall have it.
   */
  async takeLease(app: DrainApp, tx: Transaction): Promise<Lease | null> {
    const isWanted = !this.#running && !this.#next && !this.#isFailing && !this.#isClosing;
    return isWanted ? takeLease(app, { tx }) : null;
  }

  /** Begins a drain that sees all that was committed by now, and waits for it as long as a save may. */
  async request(app: DrainApp, lease: Lease | null = null): Promise<void> {
    const drained = this.#begin(app, options.save, lease);
    if (!this.#isFailing) await Promise.race([drained, sleep(SAVE_MS, undefined, { ref: false })]);
  }

  /** Tries again soon. */
  retry(app: DrainApp): void {
    clearTimeout(this.#retry);
    if (!this.#isClosing)
      this.#retry = setTimeout(() => void this.#begin(app, options.retry), RETRY_MS).unref();
  }

  /** Resolves when nothing waits any more. */
  async ended(): Promise<void> {
    while (this.#next || this.#running || this.#isFailing)
      await (this.#next ?? this.#running ?? sleep(RETRY_MS));
  }

  /** Begins no more drains and waits for the one under way, as long as its lease would keep it from others. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    await Promise.race([this.#running, sleep(LEASE_MS, undefined, { ref: false })]);
  }

  #begin(app: DrainApp, how: DrainOptions, lease: Lease | null = null): Promise<void> {
    if (!this.#running && !this.#next) return (this.#next = this.#run(app, how, lease));
    // The drain that has begun waits for it.
    void lease?.release();
    return (this.#next ??= this.#run(app, how));
  }

  async #run(app: DrainApp, how: DrainOptions, lease: Lease | null = null): Promise<void> {
    await this.#running;
    clearTimeout(this.#retry);
    this.#running = this.#next;
    this.#next = null;
    const reason = this.#isClosing ? null : await drain(app, how, lease);
    this.#running = null;
    // Once an outage, not with each try.
    if (reason !== null && !this.#isFailing)
      app.log.warn({ reason }, 'The search index could not be updated; retrying until it can');
    this.#isFailing = reason !== null;
    if (this.#isFailing) this.retry(app);
  }
}
