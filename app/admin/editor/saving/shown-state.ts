import type { Elsewhere, SaveState } from './save-state.ts';

/** What the editor says about saving: the state, and above it whether somebody else has changed the post. */
export class ShownState {
  readonly #onState: (state: SaveState) => void;
  #state: SaveState = { kind: 'clean' };
  #elsewhere: Elsewhere | null = null;
  #isDirty = false;

  constructor(onState: (state: SaveState) => void) {
    this.#onState = onState;
  }

  /** Saving waits for something: the network, a login, a decision. */
  get isTroubled(): boolean {
    const { kind } = this.#state;
    return kind === 'offline' || kind === 'login' || kind === 'failed' || this.#elsewhere !== null;
  }

  set(state: SaveState, { isDirty }: { isDirty: boolean }): void {
    // Another key changes nothing that is shown.
    if (state.kind === 'typing' && this.#state.kind === 'typing' && !this.#elsewhere) return;
    this.#state = state;
    this.#isDirty = isDirty;
    this.#onState(
      this.#elsewhere && state.kind !== 'login' && state.kind !== 'offline'
        ? { kind: 'elsewhere', ...this.#elsewhere, isDirty }
        : state,
    );
  }

  /** Something was typed: the text on the screen is not the saved one any more. */
  typed(): void {
    if (this.#elsewhere ? this.#isDirty : this.isTroubled) return;
    this.set({ kind: 'typing' }, { isDirty: true });
  }

  /** Somebody else has changed or deleted the post. */
  setElsewhere(elsewhere: Elsewhere, options: { isDirty: boolean }): void {
    this.#elsewhere = elsewhere;
    this.set({ kind: 'typing' }, options);
  }

  /** This page has the newest version again. */
  forgetElsewhere(): void {
    this.#elsewhere = null;
  }
}
