import { readFields, type FormFields } from './form-fields.ts';
import { digestOf, type LocalCopy } from './local-copy.ts';
import type { Answer, Current } from './requests.ts';

/** The server's known state of a form's post, and sent texts that have no answer yet. */
export class KnownToServer {
  /** What the next save says it started from. React owns the hidden fields, so they keep their first values. */
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

  /** Says in a form that is sent what it started from. */
  writeInto(formData: FormData): void {
    for (const [name, value] of Object.entries(this.#opened)) if (value !== '') formData.set(name, value);
  }

  /**
   * The form has a text that started from another version than the page. `sent` may arrive after the page was read: a page that
   * is left sends its text at the same time as the next page is asked for.
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

  /** What a copy on this device says of the server. */
  forCopy(): Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'sent'> {
    return { ...this.#opened, isNew: this.#isNew, sent: [...this.#unanswered] };
  }
}
