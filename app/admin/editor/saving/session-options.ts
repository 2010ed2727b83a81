import type { FormFields } from '#app/admin/editor/model/form-fields.ts';
import type { GivenSlug } from './given-slug.ts';
import type { Accepted, DoneAnswer } from './requests.ts';
import type { LostPress, SaveState } from './state.ts';

/** The form of a `SaveSession`, and the events that the session reports. */
export interface SaveSessionOptions {
  form: HTMLFormElement;
  /** The key of the text's copy on this device, by the text that the form names (`keyOf`). */
  keyFor: (fields: FormFields) => string;
  postId: string;
  /** The user of the page. */
  userId: string;
  isNew: boolean;
  newUrl: string;
  /** The address of the post's editor, once the post exists. */
  postUrl: string;
  /** The form's fields as the server rendered them. */
  stored: FormFields;
  slug: GivenSlug;
  onState: (state: SaveState) => void;
  onErrors: (errors: Record<string, string>) => void;
  /** Called after the server has executed a button. */
  onDone: (intent: string, answer: DoneAnswer, sent: FormFields) => void;
  /** Called when a button got no answer, and (null) when it is done or another is pressed. */
  onLostPress: (press: LostPress | null) => void;
  /** Called when the server has done what this page has sent, and the answer got lost. */
  onOwnSave: (sent: FormFields) => void;
  /** Called with the names of the others who have the post open. */
  onPresent: (names: string[]) => void;
  /** Called after each save. `isCreated`: it has created the post. */
  onSaved: (answer: Accepted, sent: FormFields, isCreated: boolean) => void;
}
