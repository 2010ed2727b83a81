/** Runs tasks one after the other: first come, first served. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Waits for its turn. @returns what gives the turn to the next one */
  async acquire(): Promise<() => void> {
    let release!: () => void;
    const before = this.#tail;
    this.#tail = new Promise((resolve) => (release = resolve));
    await before;
    return release;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }
}

/** Runs tasks one after the other, and refuses a task when too many wait. */
export class BoundedQueue {
  readonly #most: number;
  readonly #tasks = new Mutex();
  #count = 0;

  /** @param most tasks that wait or run */
  constructor(most: number) {
    this.#most = most;
  }

  /** Runs the task when its turn comes. Returns its result; null, at once, when too many tasks wait. */
  run<T>(task: () => Promise<T>): Promise<T | null> {
    if (this.#count >= this.#most) return Promise.resolve(null);
    this.#count += 1;
    return this.#tasks.run(task).finally(() => (this.#count -= 1));
  }
}

/** Runs `work` on every item, `atOnce` at the same time. After a failure nothing new begins; the first one is thrown. */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of items) {
    const task = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(task));
    running.add(task);
    if (running.size >= atOnce) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

/** Bounds the bytes that all requests of a process hold in memory together. */
export class ByteBudget {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Reserves that many bytes. @returns false, and reserves nothing, when too few are left */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
