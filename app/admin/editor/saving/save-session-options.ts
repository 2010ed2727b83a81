import type { FormFields } from './form-fields.ts';
import type { DoneAnswer } from './requests.ts';
import type { SaveState } from './save-state.ts';

/** What a `SaveSession` works on, and the events that it reports. */
export interface SaveSessionOptions {
  form: HTMLFormElement;
  /** Where the text is kept on this device (`keyOf`). */
  key: string;
  postId: string;
  isNew: boolean;
  newUrl: string;
  /** The post's own address, once it exists. */
  postUrl: string;
  /** The form's fields as the server rendered them. */
  stored: FormFields;
  onState: (state: SaveState) => void;
  onErrors: (errors: Record<string, string>) => void;
  /** A button has done its work. */
  onDone: (intent: string, answer: DoneAnswer, sent: FormFields) => void;
  /** The first save has made the post. */
  onCreated: () => void;
}
