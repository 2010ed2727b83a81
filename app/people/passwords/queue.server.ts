import { availableParallelism } from 'node:os';
import { AppError } from '#app/platform/errors.ts';
import { networkOf } from '#app/platform/http/network-address.server.ts';

/** The most waiting requests of one network. More are an attack, and each occupies a connection. */
const WAITING_MAX = 100;
const RETRY_AFTER_SECONDS = 5;
/** Threads of the process on which passwords are hashed, and files are read for readers. */
const POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;

export interface Hashing {
  /** The queue of everything that hashes or compares a password. */
  loginQueue: LoginQueue;
}

/**
 * Runs everything that hashes or compares passwords: each takes a core for a fifth of a second. One core and half of the
 * threads stay free.
 * The networks take turns, so that a flood from one does not delay the owner's login. One network checks one password
 * at a time, so its earlier failures are counted before the next check.
 */
export class LoginQueue {
  /** How many checks run at the same time. */
  readonly slots: number;
  /** Networks in the order of their next turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #busy = new Set<string>();

  /** @param slots how many checks run at the same time; by default one core and half of the threads stay free for readers */
  constructor(slots = Math.max(1, Math.min(availableParallelism() - 1, Math.floor(POOL_THREADS / 2)))) {
    this.slots = slots;
  }

  /**
   * @param from a client's address, or another name for the client
   * @throws AppError `too_many_requests` when too many requests of this client wait already; else what `work` throws.
   */
  async run<T>(from: string, work: () => Promise<T>): Promise<T> {
    const network = networkOf(from);
    const queue = this.#waiting.get(network) ?? [];
    if (queue.length >= WAITING_MAX) {
      const message = 'Too many attempts at once. Try again in a few seconds.';
      throw new AppError('too_many_requests', message, { retryAfter: RETRY_AFTER_SECONDS });
    }
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      this.#waiting.set(network, queue);
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#busy.delete(network);
      this.#admit();
    }
  }

  /** How many requests wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  #admit(): void {
    for (const [network, queue] of [...this.#waiting]) {
      if (this.#busy.size >= this.slots) return;
      if (this.#busy.has(network)) continue;
      const next = queue.shift();
      // Moves the network to the end of the order, or removes it when no request of it waits.
      this.#waiting.delete(network);
      if (queue.length > 0) this.#waiting.set(network, queue);
      if (!next) continue;
      this.#busy.add(network);
      next();
    }
  }
}
