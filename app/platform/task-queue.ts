/** Runs tasks one after the other. */
export class TaskQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** What the task gives when its turn has come. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(task);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}

/** The same with an end to how many wait. */
export class BoundedQueue {
  readonly #most: number;
  readonly #tasks = new TaskQueue();
  #count = 0;

  /** @param most tasks at the same time, the running one among them */
  constructor(most: number) {
    this.#most = most;
  }

  /** What the task gives when its turn has come; null, at once, where too many wait already. */
  run<T>(task: () => Promise<T>): Promise<T | null> {
    if (this.#count >= this.#most) return Promise.resolve(null);
    this.#count += 1;
    return this.#tasks.run(task).finally(() => (this.#count -= 1));
  }
}
