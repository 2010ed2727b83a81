import { contentOf, readFields, sameContent, writeFields, type FormFields } from './form-fields.ts';
import { digestOf, dropCopy, keepCopy, readCopy, type LocalCopy } from './local-copy.ts';

const KEEP_AFTER_MS = 300;
const AT_LEAST_EVERY_MS = 1_000;

/** The copy of one form's text on this device, for as long as the server has not got it. */
export class DeviceCopy {
  readonly #form: HTMLFormElement;
  readonly #key: string;
  readonly #postId: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keptAt = 0;

  constructor({ form, key, postId }: { form: HTMLFormElement; key: string; postId: string }) {
    this.#form = form;
    this.#key = key;
    this.#postId = postId;
  }

  /** Stores the text a moment after the last key, and at least once a second. */
  later(keep: () => void): void {
    clearTimeout(this.#timer);
    const wait = Math.min(KEEP_AFTER_MS, this.#keptAt + AT_LEAST_EVERY_MS - performance.now());
    this.#timer = setTimeout(keep, Math.max(0, wait));
  }

  /** @returns false when the browser cannot keep it */
  keep(about: Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'sent'>): boolean {
    clearTimeout(this.#timer);
    this.#keptAt = performance.now();
    const fields = contentOf(readFields(this.#form));
    return keepCopy(this.#key, { ...about, postId: this.#postId, fields, at: deviceTime().getTime() });
  }

  /**
   * Restores the stored text to the form, unless the server has it.
   * @returns `arrived`: the server has the last text that was sent, though its answer got lost
   */
  takeUp(stored: FormFields): { copy: LocalCopy; arrived: boolean } | null {
    const copy = readCopy(this.#key);
    if (!copy || copy.postId !== this.#postId) return null;
    if (sameContent(copy.fields, stored)) {
      this.drop();
      return null;
    }
    writeFields(this.#form, copy.fields);
    return { copy, arrived: copy.sent.includes(digestOf(stored)) };
  }

  /** The server has the text. */
  drop(): void {
    this.stop();
    dropCopy(this.#key);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The time by this device's clock. */
export function deviceTime(): Date {
  return new Date(performance.timeOrigin + performance.now());
}
