import { readFields, type FormFields } from './form-fields.ts';
import type { LocalCopy } from './local-copy.ts';
import type { Answer, Current } from './requests.ts';
import { digestOfSent, hasSentText } from './sent-text.ts';

/** What this page knows about the post on the server, and the texts whose answer has not arrived yet. */
export class ServerState {
  /** The version on which the next save is based. React owns the hidden fields, so those keep their first values. */
  readonly #opened: { version: string; autosavedAt: string; releaseText: string };
  /** Digests of the sent texts without an answer. They may have reached the server. */
  readonly #unanswered = new Set<string>();
  #isNew: boolean;

  constructor(form: HTMLFormElement, { isNew }: { isNew: boolean }) {
    const { version = '', autosavedAt = '', releaseText = '' } = readFields(form);
    this.#opened = { version, autosavedAt, releaseText };
    this.#isNew = isNew;
  }

  /** True while the server does not know the post. */
  get isNew(): boolean {
    return this.#isNew;
  }

  get version(): number {
    return Number(this.#opened.version);
  }

  /** True if every sent text has its answer. */
  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Sets the version on which a form is based before it is sent. */
  writeInto(formData: FormData): void {
    for (const [name, value] of Object.entries(this.#opened)) if (value !== '') formData.set(name, value);
  }

  /**
   * Sets the version of a text in the form that is based on another version than the page.
   * @param options.sent digests of texts that may reach the server after it has rendered this page, since a closing
   *   page sends its text while the browser requests the next page
   */
  startFrom({
    version,
    autosavedAt,
    releaseText,
    sent = [],
  }: Partial<Pick<LocalCopy, 'version' | 'autosavedAt' | 'releaseText' | 'sent'>>): void {
    if (version) this.#opened.version = version;
    if (autosavedAt) this.#opened.autosavedAt = autosavedAt;
    if (releaseText) this.#opened.releaseText = releaseText;
    for (const digest of sent) this.#unanswered.add(digest);
  }

  /** Records a text that is being sent. @returns a function to call when the server has refused the text */
  send(fields: FormFields): () => void {
    const digest = digestOfSent(fields);
    this.#unanswered.add(digest);
    return () => void this.#unanswered.delete(digest);
  }

  /** @returns true when this answer confirms that the post was created */
  accept(answer: Extract<Answer, { kind: 'autosaved' | 'done' }>): boolean {
    const isCreated = this.#isNew;
    this.#isNew = false;
    this.#unanswered.clear();
    const { version } = answer.answer;
    if (version !== null) this.#opened.version = String(version);
    if (answer.kind === 'done' && answer.answer.releaseText)
      this.#opened.releaseText = answer.answer.releaseText;
    if (answer.kind === 'autosaved' && answer.answer.saved === 'copy')
      this.#opened.autosavedAt = answer.answer.savedAt;
    return isCreated;
  }

  /**
   * True when a newer version is a save of this page whose answer got lost: the server has all fields of a sent text.
   * With a field that differs, such as the tags, it may be a save of somebody else.
   */
  isOwnSave({ fields, version, releaseText = this.#opened.releaseText }: Current): boolean {
    if (version === this.version && releaseText === this.#opened.releaseText) return false;
    return hasSentText(this.#unanswered, fields);
  }

  /** The part of a copy on this device that describes the server's state. */
  forCopy(): Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'releaseText' | 'sent'> {
    return { ...this.#opened, isNew: this.#isNew, sent: [...this.#unanswered] };
  }
}
