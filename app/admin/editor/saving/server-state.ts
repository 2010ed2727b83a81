import { readFields, type FormFields } from './form-fields.ts';
import type { LocalCopy } from './local-copy.ts';
import type { Answer, Current } from './requests.ts';
import { changesState, digestOfSent, hasSentText } from './sent-text.ts';

/** What this page knows about the post on the server, and the texts whose answer has not arrived yet. */
export class ServerState {
  /** The version on which the next save is based. React owns the hidden fields, so those keep their first values. */
  readonly #opened: { version: string; autosavedAt: string; releaseText: string };
  /**
   * The sent texts without an answer, by their digests. They may have reached the server. The texts that an earlier page
   * sent have empty fields here: only their digests are known.
   */
  readonly #unanswered = new Map<string, FormFields>();
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
    for (const digest of sent) this.#unanswered.set(digest, {});
  }

  /** Records a text that is being sent. @returns a function to call when the server has refused the text */
  send(fields: FormFields): () => void {
    const digest = digestOfSent(fields);
    this.#unanswered.set(digest, fields);
    return () => void this.#unanswered.delete(digest);
  }

  /** @returns true when this answer confirms that the post was created */
  accept(answer: Extract<Answer, { kind: 'autosaved' | 'done' }>): boolean {
    const isCreated = this.#isNew;
    this.#isNew = false;
    const isCopy = answer.kind === 'autosaved' && answer.answer.saved === 'copy';
    // A copy leaves the post as it is. A button whose answer got lost may have changed that.
    for (const [digest, { intent }] of this.#unanswered)
      if (!isCopy || !changesState(intent)) this.#unanswered.delete(digest);
    const { version } = answer.answer;
    if (version !== null) this.#opened.version = String(version);
    if (answer.kind === 'done' && answer.answer.releaseText)
      this.#opened.releaseText = answer.answer.releaseText;
    if (isCopy) this.#opened.autosavedAt = answer.answer.savedAt;
    return isCreated;
  }

  /**
   * What this page has sent, if a newer version is a save of it whose answer got lost: the server has all fields of a
   * sent text. With a field that differs, such as the tags, it may be a save of somebody else.
   */
  findOwnSave({ fields, version, releaseText = this.#opened.releaseText }: Current): FormFields | null {
    if (version === this.version && releaseText === this.#opened.releaseText) return null;
    for (const [digest, sent] of this.#unanswered) if (hasSentText([digest], fields)) return sent;
    return null;
  }

  /** Continues from a save of this page whose answer got lost. @returns true if the post has all of this text */
  adopt({ version, releaseText, fields }: Current, shown: FormFields): boolean {
    this.startFrom({ version: String(version), releaseText });
    this.#unanswered.clear();
    return hasSentText([digestOfSent(shown)], fields);
  }

  /** The part of a copy on this device that describes the server's state. */
  forCopy(): Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'releaseText' | 'sent'> {
    return { ...this.#opened, isNew: this.#isNew, sent: [...this.#unanswered.keys()] };
  }
}
