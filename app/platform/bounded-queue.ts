/** Tasks one after the other, with an end to how many wait. */
export class BoundedQueue {
  readonly #most: number;
  #count = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** @param most tasks at the same time, the running one among them */
  constructor(most: number) {
    this.#most = most;
  }

  /** What the task gives when its turn has come; null, at once, where too many wait already. */
  run<T>(task: () => Promise<T>): Promise<T | null> {
    if (this.#count >= this.#most) return Promise.resolve(null);
    this.#count += 1;
    const turn = this.#tail.then(task).finally(() => (this.#count -= 1));
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}
