import {
  contentOf,
  readFields,
  sameContent,
  writeFields,
  type FormFields,
} from '#app/admin/editor/model/form-fields.ts';
import { type GivenSlug, hasSentText, isSentByButton, isStored } from './sent-text.ts';
import { dropCopy, keepCopy, otherCopies, readCopy, type LocalCopy } from './local-copy.ts';

const KEEP_AFTER_MS = 300;
const AT_LEAST_EVERY_MS = 1_000;

/** What a form and its copy on this device are of. */
export interface CopiedForm {
  form: HTMLFormElement;
  /** The key of the text's copy on this device, by the text that the form names (`keyOf`). */
  keyFor: (fields: FormFields) => string;
  postId: string;
  /** The form's fields as the server rendered them. */
  stored: FormFields;
  slug: GivenSlug;
}

/** The copy of one form's text on this device. It exists until the server has the text. */
export class DeviceCopy {
  readonly #of: CopiedForm;
  /** The key of the copy, which follows the text that the form names. */
  #key: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keptAt = 0;

  constructor(of: CopiedForm) {
    this.#of = of;
    this.#key = of.keyFor(of.stored);
  }

  /** Calls `keep` 300 ms after the last call of this method, and at least once a second. */
  later(keep: () => void): void {
    clearTimeout(this.#timer);
    const wait = Math.min(KEEP_AFTER_MS, this.#keptAt + AT_LEAST_EVERY_MS - performance.now());
    this.#timer = setTimeout(keep, Math.max(0, wait));
  }

  /** Stores the text now. @returns false when the browser has no storage, or no room in it */
  keep(about: Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'releaseText' | 'sent'>): boolean {
    clearTimeout(this.#timer);
    this.#keptAt = performance.now();
    const fields = contentOf(this.#of.slug.without(readFields(this.#of.form)));
    const key = this.#of.keyFor(fields);
    // Another text that this tab keeps under that key stays. This one then keeps the key that it has.
    if (key !== this.#key && !readCopy(key)) {
      dropCopy(this.#key);
      this.#key = key;
    }
    return keepCopy(this.#key, { ...about, postId: this.#of.postId, fields, at: deviceTime().getTime() });
  }

  /**
   * Writes the copy into the form, unless the server has the same text.
   * @param stored the text that the server has
   * @returns null without a copy. `isSaved`: this device sent the server's text, and only the answer got lost.
   */
  restore(stored: FormFields): { copy: LocalCopy; isSaved: boolean } | null {
    const copy = readCopy(this.#key);
    if (!copy || copy.postId !== this.#of.postId) return null;
    if (sameContent(copy.fields, stored) || isSentByButton(copy.fields, copy.sent, stored)) {
      this.drop();
      return null;
    }
    writeFields(this.#of.form, copy.fields);
    return { copy, isSaved: hasSentText(copy.sent, stored) };
  }

  drop(): void {
    this.stop();
    dropCopy(this.#key);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Deletes the copies of a post's text that the server has, of whichever tab and release. */
export function dropCopiesOf(userId: string, postId: string, text: FormFields): void {
  for (const { key, copy } of otherCopies(userId, postId, '')) if (isStored(copy, text)) dropCopy(key);
}

export function deviceTime(): Date {
  return new Date(performance.timeOrigin + performance.now());
}
