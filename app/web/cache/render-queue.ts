/** Renders at the same time. More would only take memory, since they share one thread. */
const AT_ONCE = 4;

/**
 * Gives renders their turns, a few at a time. Between two renders the event loop sends finished answers, so cached pages
 * do not wait behind a queue of renders.
 */
export class RenderQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Runs the task when its turn comes. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      setImmediate(() => this.#end());
    }
  }

  /** Gives the turn of a finished task to the next one. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
