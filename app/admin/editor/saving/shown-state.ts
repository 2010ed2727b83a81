import type { RemoteChange, SaveState } from './save-state.ts';

/** The save state that the editor shows. A change by somebody else hides all states but `login` and `offline`. */
export class ShownState {
  readonly #onState: (state: SaveState) => void;
  #state: SaveState = { kind: 'clean' };
  #remoteChange: RemoteChange | null = null;
  #isDirty = false;

  constructor(onState: (state: SaveState) => void) {
    this.#onState = onState;
  }

  /** True while saving waits for the network, a login or the user's decision. */
  get isBlocked(): boolean {
    const { kind } = this.#state;
    return kind === 'offline' || kind === 'login' || kind === 'failed' || this.#remoteChange !== null;
  }

  set(state: SaveState, { isDirty }: { isDirty: boolean }): void {
    // Further typing does not change what is shown.
    if (state.kind === 'typing' && this.#state.kind === 'typing' && !this.#remoteChange) return;
    this.#state = state;
    this.#isDirty = isDirty;
    this.#onState(
      this.#remoteChange && state.kind !== 'login' && state.kind !== 'offline'
        ? { kind: 'changedRemotely', ...this.#remoteChange, isDirty }
        : state,
    );
  }

  /** The text on the screen differs from the saved one. */
  typed(): void {
    if (this.#remoteChange ? this.#isDirty : this.isBlocked) return;
    this.set({ kind: 'typing' }, { isDirty: true });
  }

  /** The server can be reached again, or there is a session again. A text that it does not have is sent again. */
  reachedAgain({ isDirty }: { isDirty: boolean }): void {
    const state = this.#state;
    if (isDirty || (state.kind !== 'offline' && state.kind !== 'login')) return;
    const intent = state.kind === 'offline' ? state.pressed : null;
    this.set(intent ? { kind: 'notDone', intent } : { kind: 'clean' }, { isDirty: false });
  }

  /** Somebody else has changed or deleted the post. */
  setRemoteChange(remoteChange: RemoteChange, options: { isDirty: boolean }): void {
    this.#remoteChange = remoteChange;
    this.set({ kind: 'typing' }, options);
  }

  /** This page has the newest version again. */
  forgetRemoteChange(): void {
    this.#remoteChange = null;
  }
}
