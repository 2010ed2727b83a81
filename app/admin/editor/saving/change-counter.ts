import { AT_LEAST_EVERY_MS } from './times.ts';

/** Counts the changes on the screen, those that were sent, and those that the server has. */
export class ChangeCounter {
  #made = 0;
  #sent = 0;
  #acknowledged = 0;
  /** When the first change after the last sent text was made. */
  #unsentSince = 0;

  get made(): number {
    return this.#made;
  }

  /** The number of changes that the server has. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** True if the server lacks a change. */
  get isDirty(): boolean {
    return this.#made > this.#acknowledged;
  }

  add(): void {
    if (this.#made === this.#sent) this.#unsentSince = performance.now();
    this.#made += 1;
  }

  /** How long to wait for a pause in typing. Text is sent after a while also without a pause. */
  waitFor(pause: number): number {
    return Math.max(0, Math.min(pause, this.#unsentSince + AT_LEAST_EVERY_MS - performance.now()));
  }

  /** Records that all changes are being sent. @returns their number */
  send(): number {
    return (this.#sent = this.#made);
  }

  /** Records that the server has the first `count` changes. */
  acknowledge(count: number): void {
    this.#acknowledged = count;
  }
}
