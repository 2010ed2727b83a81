/** Renders at the same time. More would only take memory, since they share one thread. */
const AT_ONCE = 4;
/** One turn in this number goes to the longest waiter, so that hot pages do not starve others. */
const FAIR_TURN = 4;

interface Waiting {
  heat: number;
  start: () => Promise<void>;
}

/**
 * Gives renders their turns, a few at a time and hot pages first. Between two renders the event loop sends finished
 * answers, so cached pages do not wait behind a queue of renders.
 */
export class RenderQueue {
  readonly #waiting: Waiting[] = [];
  #idleWork: (() => Promise<unknown>)[] = [];
  #running = 0;
  #turns = 0;

  /** Runs the task when its turn comes. @param heat number of requests of the page; the highest goes first */
  run<T>(task: () => Promise<T>, heat = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ heat, start: () => task().then(resolve, reject) });
      this.#next();
    });
  }

  /**
   * Sets the tasks that run one after the other while no reader waits. Replaces earlier ones. A task must not reject.
   */
  whileIdle(tasks: (() => Promise<unknown>)[]): void {
    this.#idleWork = tasks;
    setImmediate(() => this.#next());
  }

  #next(): void {
    while (this.#running < AT_ONCE && this.#waiting.length > 0) this.#start(this.#takeWaiting().start);
    if (this.#running > 0) return;
    const idle = this.#idleWork.shift();
    if (idle) this.#start(idle);
  }

  #start(task: () => Promise<unknown>): void {
    this.#running += 1;
    void task().finally(() =>
      setImmediate(() => {
        this.#running -= 1;
        this.#next();
      }),
    );
  }

  #takeWaiting(): Waiting {
    this.#turns += 1;
    let chosen = 0;
    if (this.#turns % FAIR_TURN !== 0)
      this.#waiting.forEach(({ heat }, index) => {
        if (heat > this.#waiting[chosen]!.heat) chosen = index;
      });
    return this.#waiting.splice(chosen, 1)[0]!;
  }
}
