import { availableParallelism } from 'node:os';
import { AppError } from '#app/platform/errors.ts';

/** More than this waiting from one address is an attack, and each holds a connection. */
const WAITING_PER_ADDRESS = 100;
const RETRY_AFTER_SECONDS = 5;

/**
 * Lets password checks through so that they never take all of the machine, and takes the addresses in turn, so that
 * a flood from some does not hold up the one of the owner. One address checks one password at a time: what it
 * failed before is counted by then.
 */
export class LoginQueue {
  readonly #slots: number;
  /** Addresses in the order of their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #busy = new Set<string>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** @throws AppError `too_many_requests` when too many of that address wait already; else what `work` throws. */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#waiting.get(address) ?? [];
    if (queue.length >= WAITING_PER_ADDRESS) {
      const message = 'Too many attempts at once. Try again in a few seconds.';
      throw new AppError('too_many_requests', message, { retryAfter: RETRY_AFTER_SECONDS });
    }
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      this.#waiting.set(address, queue);
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#busy.delete(address);
      this.#admit();
    }
  }

  #admit(): void {
    for (const [address, queue] of [...this.#waiting]) {
      if (this.#busy.size >= this.#slots) return;
      if (this.#busy.has(address)) continue;
      const next = queue.shift();
      // To the end of the turn; an address without anybody waiting leaves it.
      this.#waiting.delete(address);
      if (queue.length > 0) this.#waiting.set(address, queue);
      if (!next) continue;
      this.#busy.add(address);
      next();
    }
  }
}

/** Comparing costs a fifth of a second of a core: one core stays free for readers. */
export const loginQueue = new LoginQueue(Math.max(1, availableParallelism() - 1));
