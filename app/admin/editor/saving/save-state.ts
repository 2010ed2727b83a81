/** The save state of the text on the screen. */
export type SaveState =
  | { kind: 'clean' }
  | { kind: 'typing' }
  | { kind: 'saving' }
  | { kind: 'saved'; in: 'post' | 'copy'; at: Date }
  /** `pressed`: a button whose work was not done and is not retried. */
  | { kind: 'offline'; pressed: string | null; isKept: boolean }
  | { kind: 'login' }
  | { kind: 'failed'; message: string }
  /** A button would take an older text than the newest unsaved changes. */
  | { kind: 'choose'; message: string; intent: string }
  | ({ kind: 'elsewhere'; isDirty: boolean } & Elsewhere);

/** A change of the post that this page does not show. */
export interface Elsewhere {
  by: string | null;
  at: string | null;
  isDeleted: boolean;
}
