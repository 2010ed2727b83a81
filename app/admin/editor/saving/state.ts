import { deviceTime } from './device-copy.ts';
import type { Accepted, Answer } from './requests.ts';

/** The save state of the text on the screen. */
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

/** The state after the server has stored the text. */
export function savedState(answer: Accepted): SaveState {
  if (answer.kind === 'done') return { kind: 'saved', in: 'post', at: deviceTime() };
  const [leftOut] = Object.values(answer.answer.errors ?? {});
  if (leftOut !== undefined) return { kind: 'leftOut', message: leftOut };
  return { kind: 'saved', in: answer.answer.saved, at: new Date(answer.answer.savedAt) };
}
