/** First come, first served. */
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
