/** Runs tasks one after the other. */
export class TaskQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs the task when its turn comes. Returns its result. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(task);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}

/** Runs tasks one after the other, and refuses a task when too many wait. */
export class BoundedQueue {
  readonly #most: number;
  readonly #tasks = new TaskQueue();
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
