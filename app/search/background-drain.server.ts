import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#app/app.ts';
import type { Transaction } from '#app/platform/database.server.ts';
import { messageOf } from '#app/platform/errors.ts';
import { Drain, type DrainApp, type DrainReport, type Patience } from './drain.server.ts';
import { takeLeaseIn, type Lease } from './lease.server.ts';

export type SearchApp = DrainApp & Pick<App, 'drains'>;

/** Who waits for a drain: an editor, a scheduler, or a command that does nothing else. */
export type Waiting = 'save' | 'trigger' | 'command';

const endless = { slowMs: Infinity, leaseMs: Infinity, totalMs: Infinity, countsDocuments: false };
export const patience: Record<Waiting | 'nobody', Patience> = {
  save: { ...endless, callMs: 1_500, thorough: false },
  nobody: { ...endless, callMs: 5_000, thorough: false },
  trigger: {
    callMs: 1_500,
    slowMs: 1_000,
    leaseMs: 6_000,
    totalMs: 60_000,
    thorough: true,
    countsDocuments: true,
  },
  command: { ...endless, callMs: 30_000, thorough: true },
};
/** A save waits no longer for the index, and less while the engine is down. */
const SAVE_MS = { usually: 1_500, whileDown: 300 };
/** Between two tries in the background. */
const PAUSE_MS = { first: 500, longest: 30_000 };
/** How long a process that ends waits for what is under way. */
const CLOSING_MS = 5_000;

/**
 * Brings the index in line with the outbox. Never throws: what the engine does not take stays in the outbox, the reason
 * is in the log. After a save or a trigger the server continues in the background until nothing waits.
 * @param lease what `BackgroundDrains.takeLease` took for a save
 */
export async function drainOutbox(
  app: SearchApp,
  waiting: Waiting = 'save',
  lease: Lease | null = null,
): Promise<DrainReport> {
  if (waiting === 'save') return app.drains.request(app, lease);
  const report = await drain(app, patience[waiting]);
  if (report.reason !== null) {
    app.log.warn({ reason: report.reason }, 'The search index could not follow; the changes wait for it');
    if (waiting === 'trigger') app.drains.tryAgain(app);
  }
  return report;
}

async function drain(app: DrainApp, time: Patience, takeHanded?: () => Lease | null): Promise<DrainReport> {
  try {
    return await new Drain(app, time, takeHanded).run();
  } catch (error) {
    return { taken: [], refused: new Map(), reason: messageOf(error) };
  }
}

/** A drain that has not begun, for all who asked for it since the last one began. */
interface Round {
  ended: Promise<DrainReport>;
  end(report: DrainReport): void;
}

/** The drains of one process that follow its saves: one at a time, again after each failure, until nothing waits. */
export class BackgroundDrains {
  #app: DrainApp | undefined;
  #next: Round | null = null;
  #running: Promise<void> | null = null;
  #failures = 0;
  #isClosing = false;
  /** Taken by a save, for the next drain. */
  #handed: Lease | null = null;
  #wake = () => {};

  /**
   * Takes the lease in the transaction of a save, for the `request` that follows the commit: one commit less. Null
   * while a drain runs, which has the lease or waits for it, and in an outage, in which others shall have it.
   */
  async takeLease(app: DrainApp, tx: Transaction): Promise<Lease | null> {
    return this.#running || this.#failures > 0 || this.#isClosing ? null : takeLeaseIn(tx, app);
  }

  /** Begins a drain that sees all that was committed by now, and waits for it as long as a save may. */
  request(app: DrainApp, lease: Lease | null = null): Promise<DrainReport> {
    // Nothing would ever end the wait; a copy of the site at an instant has such drains.
    if (this.#isClosing && !this.#running)
      return Promise.resolve({ taken: [], refused: new Map(), reason: 'No drain begins any more' });
    this.#handed ??= lease;
    this.#next ??= newRound();
    const { ended } = this.#next;
    const waitMs = this.#failures > 0 ? SAVE_MS.whileDown : SAVE_MS.usually;
    this.#begin(app);
    const late = { taken: [], refused: new Map<string, string>(), reason: 'The drain goes on' };
    return Promise.race([ended, sleep(waitMs, late, { ref: false })]);
  }

  /** Tries again soon, for what a trigger left. */
  tryAgain(app: DrainApp): void {
    this.#begin(app);
  }

  /** Resolves when nothing waits any more. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Begins no more drains and waits a few seconds for the one under way. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    await Promise.race([this.#running, sleep(CLOSING_MS, undefined, { ref: false })]);
  }

  #begin(app: DrainApp): void {
    this.#app = app;
    this.#wake();
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    let report: DrainReport | undefined;
    do {
      if (!this.#next) await this.#pause();
      if (this.#isClosing) break;
      const round = this.#next;
      this.#next = null;
      const { log } = this.#app!;
      report = await drain(this.#app!, round ? patience.save : patience.nobody, () => this.#takeHanded());
      this.#failures = report.reason === null ? 0 : this.#failures + 1;
      // Once an outage, not with each try.
      if (this.#failures === 1)
        log.warn({ reason: report.reason }, 'The search index could not follow; trying again until it does');
      round?.end(report);
    } while (this.#next || report.reason !== null);
    this.#running = null;
  }

  #takeHanded(): Lease | null {
    const lease = this.#handed;
    this.#handed = null;
    return lease;
  }

  async #pause(): Promise<void> {
    const milliseconds = Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** Math.min(this.#failures, 10));
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    await Promise.race([woken, sleep(milliseconds, undefined, { ref: false })]);
  }
}

function newRound(): Round {
  let end: Round['end'] = () => {};
  const ended = new Promise<DrainReport>((resolve) => (end = resolve));
  return { ended, end };
}
