import type { CallOptions } from './engine.ts';

/** How long a drain may take, in milliseconds. */
export interface DrainLimits {
  /** One call of the engine. */
  callMs: number;
  /** After so much time that the engine took, or another drain, it goes on only while the engine answers quickly. */
  slowMs: number;
  /** From then on it stops between two calls. */
  totalMs: number;
}

/** Looking whether the index is there is a light call, also where nobody waits for the drain. */
const LIGHT_CALL_MS = 5_000;
/** A call that begins late gets at least this: a healthy engine needs far less. */
const LEAST_CALL_MS = 400;
/** The same once the engine has answered quickly: it is not what holds us up. */
const LEAST_QUICK_CALL_MS = 1_000;

/** Text takes its time, with an engine in good health too: so many characters a millisecond count as quick. */
const CHARACTERS_PER_MS = 500;

/** The time of one drain: what it has left, and whether the engine uses it well. */
export class DrainTime {
  readonly #limits: DrainLimits;
  #started = performance.now();
  /** What the engine took, or another drain: a busy database is not an outage. */
  #spentMs = 0;
  #lastWasQuick = false;

  constructor(limits: DrainLimits) {
    this.#limits = limits;
  }

  /**
   * Makes a call of the engine that may take as long as there is time left.
   * @param options.characters that the engine is given
   */
  async call<T>(
    work: (options: CallOptions) => Promise<T>,
    { light = false, characters = 0 } = {},
  ): Promise<T> {
    const { callMs, slowMs } = this.#limits;
    const least = this.#lastWasQuick ? LEAST_QUICK_CALL_MS : LEAST_CALL_MS;
    const timeoutMs = Math.max(least, Math.min(callMs, slowMs - this.#spentMs));
    const calledAt = performance.now();
    try {
      return await work({ timeoutMs: light ? Math.min(timeoutMs, LIGHT_CALL_MS) : timeoutMs });
    } finally {
      const tookMs = performance.now() - calledAt;
      this.#spentMs += tookMs;
      this.#lastWasQuick = tookMs < callMs / 4 + characters / CHARACTERS_PER_MS;
    }
  }

  /** Counts what a wait for another drain takes. */
  async wait(work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    this.#spentMs += performance.now() - began;
  }

  isOver(): boolean {
    const elapsed = performance.now() - this.#started;
    return elapsed > this.#limits.totalMs || (this.#spentMs > this.#limits.slowMs && !this.#lastWasQuick);
  }

  /** Begins anew: the process was stopped for a while, which is nobody's fault. */
  restart(): void {
    this.#started = performance.now();
    this.#spentMs = 0;
    this.#lastWasQuick = false;
  }
}
