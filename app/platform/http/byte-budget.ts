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
