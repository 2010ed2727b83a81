/** The save state of the text on the screen. */
export type SaveState =
  | { kind: 'clean' }
  | { kind: 'typing' }
  | { kind: 'saving' }
  | { kind: 'saved'; in: 'post' | 'copy'; at: Date }
  /** `pressed`: the intent of a button that was not executed and is not retried. `isKept`: this device has the text. */
  | { kind: 'offline'; pressed: string | null; isKept: boolean }
  | { kind: 'login' }
  | { kind: 'failed'; message: string }
  /** The user must choose: the button would publish or save a text that is older than their unsaved changes. */
  | { kind: 'choose'; message: string; intent: string }
  | ({ kind: 'changedRemotely'; isDirty: boolean } & RemoteChange);

/** A newer version of the post, saved by somebody else, which this page does not show. */
export interface RemoteChange {
  by: string | null;
  at: string | null;
  isDeleted: boolean;
}
