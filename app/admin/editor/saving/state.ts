import type { FormFields } from '#app/admin/editor/model/form-fields.ts';
import { deviceTime, type CopiedForm } from './device-copy.ts';
import type { Accepted, Answer, DoneAnswer } from './requests.ts';

/** The pause in typing after which the text is saved. */
export const PAUSE_MS = 1_500;
/** The time after which text is saved even without a pause in typing. */
export const AT_LEAST_EVERY_MS = 8_000;
/** The time until the next try after a failure. */
export const RETRY_MS = 5_000;
/** The same button pressed twice within this time, without a change between, counts once. */
export const DOUBLE_PRESS_MS = 800;

export type SaveState =
  | { kind: 'clean' }
  | { kind: 'typing' }
  | { kind: 'saving' }
  | { kind: 'saved'; in: 'post' | 'copy'; at: Date }
  /** `isKept`: this device has the text. */
  | { kind: 'offline'; isKept: boolean }
  | { kind: 'login'; isOther: boolean }
  /** The server has the text without some fields. `message`: the error of one of them. */
  | { kind: 'leftOut'; message: string }
  | { kind: 'failed'; message: string }
  /** The user must choose: the button would publish or save a text that is older than their unsaved changes. */
  | { kind: 'choose'; message: string; intent: string }
  | ({ kind: 'changedRemotely'; isDirty: boolean } & RemoteChange);

/** A pressed button whose answer did not arrive. Unlike a save, it is not sent again until it is pressed again. */
export interface LostPress {
  intent: string;
  /** The server can be reached again, and has not executed the button. */
  isNotDone: boolean;
}

/** A newer version of the post, saved by somebody else, which this page does not show. */
export interface RemoteChange {
  by: string | null;
  at: string | null;
  isDeleted: boolean;
}

/** The state after a text was not stored. `pressed`: the intent of the button; null: an autosave. */
export function refusedState(
  answer: Exclude<Answer, Accepted | { kind: 'conflict' }>,
  { pressed, isKept }: { pressed: string | null; isKept: boolean },
): SaveState {
  switch (answer.kind) {
    case 'unreachable':
      return { kind: 'offline', isKept };
    case 'login':
      return { kind: 'login', isOther: answer.isOther };
    case 'failed':
      return { kind: 'failed', message: answer.message };
    case 'wrong':
      return { kind: 'failed', message: pressed ? '' : (Object.values(answer.errors)[0] ?? '') };
  }
}

export function savedState(answer: Accepted): SaveState {
  if (answer.kind === 'done') return { kind: 'saved', in: 'post', at: deviceTime() };
  const [leftOut] = Object.values(answer.answer.errors ?? {});
  if (leftOut !== undefined) return { kind: 'leftOut', message: leftOut };
  return { kind: 'saved', in: answer.answer.saved, at: new Date(answer.answer.savedAt) };
}

/** The save state that the editor shows. A change by somebody else hides all states but `login` and `offline`. */
export class ShownState {
  #state: SaveState = { kind: 'clean' };
  #remoteChange: RemoteChange | null = null;
  #isDirty = false;

  /**
   * @param text.isDirty true if the server lacks a change of the text
   * @param text.isUnsaved true if the post lacks one: the server may have it as a copy
   */
  constructor(
    private readonly onState: (state: SaveState) => void,
    private readonly text: { isDirty: () => boolean; isUnsaved: () => boolean },
  ) {}

  /** True while saving waits for the network, a login or the user's decision. */
  get isBlocked(): boolean {
    const { kind } = this.#state;
    return kind === 'offline' || kind === 'login' || kind === 'failed' || this.#remoteChange !== null;
  }

  set(state: SaveState): void {
    // Further typing does not change what is shown.
    if (state.kind === 'typing' && this.#state.kind === 'typing' && !this.#remoteChange) return;
    this.#state = state;
    const isDirty = (this.#isDirty = this.text.isUnsaved());
    this.onState(
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
    if (this.text.isDirty() || (kind !== 'offline' && kind !== 'login')) return;
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

/** The form of a `SaveSession`, and the events that the session reports. */
export interface SaveSessionOptions extends CopiedForm {
  userId: string;
  isNew: boolean;
  newUrl: string;
  /** The address of the post's editor, once the post exists. */
  postUrl: string;
  onState: (state: SaveState) => void;
  onErrors: (errors: Record<string, string>) => void;
  /** Called after the server has executed a button. */
  onDone: (intent: string, answer: DoneAnswer, sent: FormFields) => void;
  /** Called when a button got no answer, and (null) when it is done or another is pressed. */
  onLostPress: (press: LostPress | null) => void;
  /** Called when the server has done what this page has sent, and the answer got lost. */
  onOwnSave: (sent: FormFields) => void;
  onPresent: (names: string[]) => void;
  /** Called after each save. `isCreated`: it has created the post. */
  onSaved: (answer: Accepted, sent: FormFields, isCreated: boolean) => void;
}
