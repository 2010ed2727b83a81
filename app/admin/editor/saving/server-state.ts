import { readFields, type FormFields } from './form-fields.ts';
import { digestOf, type LocalCopy } from './local-copy.ts';
import type { Answer, Current } from './requests.ts';

/** What this page knows of the post on the server, and the texts that it has sent without an answer so far. */
export class ServerState {
  /** The version on which the next save is based. React owns the hidden fields, so those keep their first values. */
  readonly #opened: { version: string; autosavedAt: string };
  /** Digests of the texts that were sent and may have arrived, though no answer came back. */
  readonly #unanswered = new Set<string>();
  #isNew: boolean;

  constructor(form: HTMLFormElement, { isNew }: { isNew: boolean }) {
    const { version = '', autosavedAt = '' } = readFields(form);
    this.#opened = { version, autosavedAt };
    this.#isNew = isNew;
  }

  /** The server does not know the post yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  get version(): number {
    return Number(this.#opened.version);
  }

  /** Every text that was sent has its answer. */
  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Sets the version on which a form is based before it is sent. */
  writeInto(formData: FormData): void {
    for (const [name, value] of Object.entries(this.#opened)) if (value !== '') formData.set(name, value);
  }

  /**
   * The form has a text that is based on another version than the page.
   * @param options.sent digests of texts that may reach the server after it has rendered this page: a page that is left
   *   sends its text at the same moment as the browser requests the next page
   */
  startFrom({
    version,
    autosavedAt,
    sent = [],
  }: Partial<Pick<LocalCopy, 'version' | 'autosavedAt' | 'sent'>>): void {
    if (version) this.#opened.version = version;
    if (autosavedAt) this.#opened.autosavedAt = autosavedAt;
    for (const digest of sent) this.#unanswered.add(digest);
  }

  /** Records a text that is being sent. @returns a function to call when the server has refused it */
  send(fields: FormFields): () => void {
    const digest = digestOf(fields);
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
    if (answer.kind === 'autosaved' && answer.answer.saved === 'copy')
      this.#opened.autosavedAt = answer.answer.savedAt;
    return isCreated;
  }

  /** True when a newer version is a save of this page whose answer got lost. */
  isOwnSave({ fields, version }: Current): boolean {
    return version !== this.version && this.#unanswered.has(digestOf(fields));
  }

  /** The part of a copy on this device that describes the server's state. */
  forCopy(): Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'sent'> {
    return { ...this.#opened, isNew: this.#isNew, sent: [...this.#unanswered] };
  }
}
