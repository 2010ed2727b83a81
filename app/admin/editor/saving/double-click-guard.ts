import { DOUBLE_PRESS_MS } from './times.ts';

/** Remembers the last button that was pressed, to ignore the second press of a double click. */
export class DoubleClickGuard {
  #intent = '';
  #at = -Infinity;
  #changes = 0;

  /** True for a second press of the same button soon after the first and without a change between: a double click. */
  isRepeated(intent: string, changes: number): boolean {
    const at = performance.now();
    if (intent === this.#intent && at - this.#at < DOUBLE_PRESS_MS && changes === this.#changes) return true;
    this.#intent = intent;
    this.#at = at;
    this.#changes = changes;
    return false;
  }
}
