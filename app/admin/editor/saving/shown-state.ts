import type { RemoteChange, SaveState } from './state.ts';

/** The save state that the editor shows. A change by somebody else hides all states but `login` and `offline`. */
export class ShownState {
  readonly #onState: (state: SaveState) => void;
  readonly #isTextDirty: () => boolean;
  readonly #isTextUnsaved: () => boolean;
  #state: SaveState = { kind: 'clean' };
  #remoteChange: RemoteChange | null = null;
  /** As it is shown. */
  #isDirty = false;

  /**
   * @param text.isDirty true if the server lacks a change of the text
   * @param text.isUnsaved true if the post lacks one: the server may have it as a copy
   */
  constructor(
    onState: (state: SaveState) => void,
    text: { isDirty: () => boolean; isUnsaved: () => boolean },
  ) {
    this.#onState = onState;
    this.#isTextDirty = text.isDirty;
    this.#isTextUnsaved = text.isUnsaved;
  }

  /** True while saving waits for the network, a login or the user's decision. */
  get isBlocked(): boolean {
    const { kind } = this.#state;
    return kind === 'offline' || kind === 'login' || kind === 'failed' || this.#remoteChange !== null;
  }

  set(state: SaveState): void {
    // Further typing does not change what is shown.
    if (state.kind === 'typing' && this.#state.kind === 'typing' && !this.#remoteChange) return;
    this.#state = state;
    const isDirty = (this.#isDirty = this.#isTextUnsaved());
    this.#onState(
      this.#remoteChange && state.kind !== 'login' && state.kind !== 'offline'
        ? { kind: 'changedRemotely', ...this.#remoteChange, isDirty }
        : state,
    );
  }

  /** The text on the screen differs from the saved one. */
  typed(): void {
    if (this.#remoteChange ? this.#isDirty : this.isBlocked) return;
    this.set({ kind: 'typing' });
  }

  /** The server can be reached again, or there is a session again. A text that it does not have is sent again. */
  reachedAgain(): void {
    const { kind } = this.#state;
    if (this.#isTextDirty() || (kind !== 'offline' && kind !== 'login')) return;
    this.set({ kind: 'clean' });
  }

  /** Somebody else has changed or deleted the post. */
  setRemoteChange(remoteChange: RemoteChange): void {
    this.#remoteChange = remoteChange;
    this.set({ kind: 'typing' });
  }

  /** This page has the newest version again. */
  forgetRemoteChange(): void {
    this.#remoteChange = null;
  }
}
