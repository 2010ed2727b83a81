import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import { readFields, type FormFields } from '#app/admin/editor/model/form-fields.ts';
import { SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import type { LocalCopy } from './local-copy.ts';
import { type Answer, type Current, fetchJson, type PostState } from './requests.ts';
import { changesState, digestOfSent, hasDone, hasSentText, isInStateOf, storesText } from './sent-text.ts';
import type { SaveSessionOptions, LostPress, ShownState } from './state.ts';

/** What this page knows about the post on the server, and the texts whose answer has not arrived yet. */
export class ServerState {
  /** The version on which the next save is based. React owns the hidden fields, so those keep their first values. */
  readonly #opened: { version: string; autosavedAt: string; releaseText: string; edit: string };
  /**
   * The sent texts without an answer, by their digests. They may have reached the server. The texts that an earlier page
   * sent have empty fields here: only their digests are known.
   */
  readonly #unanswered = new Map<string, FormFields>();
  readonly #onLostPress: SaveSessionOptions['onLostPress'];
  isNew: boolean;
  /** True if the server has the text only as an unsaved copy, not in the post. */
  hasCopy: boolean;

  constructor(
    form: HTMLFormElement,
    { isNew, onLostPress }: Pick<SaveSessionOptions, 'isNew' | 'onLostPress'>,
  ) {
    const { version = '', autosavedAt = '', releaseText = '', edit = '' } = readFields(form);
    this.#opened = { version, autosavedAt, releaseText, edit };
    this.isNew = isNew;
    this.hasCopy = Date.parse(autosavedAt) > 0;
    this.#onLostPress = onLostPress;
  }

  get version(): number {
    return Number(this.#opened.version);
  }

  /** The query of the editor's address for the text of this page. */
  get query(): string {
    return this.#opened.edit === SCHEDULED_TEXT ? `?edit=${SCHEDULED_TEXT}` : '';
  }

  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** The last button without an answer, unless it only saves. It may have been executed. */
  get lostPress(): string | null {
    const intents = [...this.#unanswered.values()].map(({ intent = '' }) => intent);
    return intents.findLast(changesState) ?? null;
  }

  /** Names the button without an answer to the user. `isNotDone`: the server can be reached, and has not executed it. */
  reportLostPress({ isNotDone }: Pick<LostPress, 'isNotDone'>): void {
    const intent = this.lostPress;
    if (intent !== null) this.#onLostPress({ intent, isNotDone });
  }

  /** Sets the version on which a form is based before it is sent, and the texts on which it may be based instead. */
  writeInto(formData: FormData): void {
    for (const [name, value] of Object.entries(this.#opened)) if (value !== '') formData.set(name, value);
    if (!this.isAnswered) formData.set('sent', [...this.#unanswered.keys()].join('\n'));
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

  /**
   * Records a text that is being sent.
   * @returns a function to call when the server has refused the text. The same text may have been sent before.
   */
  send(fields: FormFields): () => void {
    const digest = digestOfSent(fields);
    const isFirst = !this.#unanswered.has(digest);
    this.#unanswered.set(digest, fields);
    if (changesState(fields.intent)) this.#onLostPress(null);
    return () => {
      if (isFirst) this.#unanswered.delete(digest);
    };
  }

  /** @returns true when this answer confirms that the post was created */
  accept(answer: Extract<Answer, { kind: 'autosaved' | 'done' }>, intent: string): boolean {
    const isCreated = this.isNew;
    this.isNew = false;
    const isCopy = answer.kind === 'autosaved' && answer.answer.saved === 'copy';
    this.#followButton(intent);
    this.#forget(intent, answer.kind === 'done' ? answer.answer.status : null);
    const { version } = answer.answer;
    if (version !== null) this.#opened.version = String(version);
    if (answer.kind === 'done' && answer.answer.releaseText)
      this.#opened.releaseText = answer.answer.releaseText;
    if (isCopy) this.#opened.autosavedAt = answer.answer.savedAt;
    if (storesText(intent)) this.hasCopy = isCopy;
    return isCreated;
  }

  /**
   * What this page has sent, if the server has done it and the answer got lost. A newer version is a save of this page if
   * it has all fields of a sent text. With a field that differs, such as the tags, it may be a save of somebody else.
   * @param current null: the post was deleted. With another text than was sent then, somebody else may have done it.
   */
  findOwnSave(current: Current | null, shown: FormFields): FormFields | null {
    if (!current) return this.#unanswered.get(digestOfSent({ ...shown, intent: 'delete' })) ?? null;
    const { version, releaseText = this.#opened.releaseText, status } = current;
    const isNewer = version !== this.version || releaseText !== this.#opened.releaseText;
    const done = [...this.#unanswered].filter((each) => hasDone(each, current, { isNewer }));
    // The same text may have been sent by a button and without it. The post's state tells which of them arrived.
    const [, own = null] =
      done.find(([, { intent }]) => changesState(intent) === Boolean(status)) ?? done[0] ?? [];
    return own;
  }

  /** Continues from what `findOwnSave` has found. @returns true if nothing was typed after it */
  adopt(current: Current | null, own: FormFields, shown: FormFields): boolean {
    const digest = digestOfSent({ ...shown, intent: own.intent ?? '' });
    const hasText = storesText(own.intent) && this.#unanswered.get(digest) === own;
    const isSame = hasText || (current !== null && hasSentText([digest], current.fields));
    if (current) this.startFrom({ version: String(current.version), releaseText: current.releaseText });
    if (own.intent !== 'autosave' && storesText(own.intent)) this.hasCopy = false;
    this.#followButton(own.intent);
    this.#forget(own.intent);
    return isSame;
  }

  /** After it was scheduled, the text on the screen is that of the update: a save must not make it public. */
  #followButton(intent: string | undefined): void {
    if (intent === 'prepare') this.#opened.edit = SCHEDULED_TEXT;
  }

  /** Forgets what has its answer, or needs none, after one of a text or a button has arrived. */
  #forget(answered: string | undefined, status: string | null = null): void {
    for (const [digest, { intent }] of this.#unanswered)
      // A save of the text leaves the question open whether an earlier button was executed.
      if (changesState(answered) || !changesState(intent) || isInStateOf(intent, status))
        this.#unanswered.delete(digest);
    if (this.lostPress === null) this.#onLostPress(null);
  }

  /** The part of a copy on this device that describes the server's state. */
  forCopy(): Pick<LocalCopy, 'isNew' | 'version' | 'autosavedAt' | 'releaseText' | 'sent'> {
    const { edit: _edit, ...opened } = this.#opened;
    return { ...opened, isNew: this.isNew, sent: [...this.#unanswered.keys()] };
  }
}

const EVERY_MS = 4_500;

/**
 * Polls the post's state while the page is visible. Reports a version that another page or person has saved, and what the
 * server has done of what this page has sent without an answer.
 * @returns a function that asks at once
 */
export function watchPost({
  options: { postUrl: url, userId, onPresent },
  server,
  shown,
  isBusy: isBusyHere,
  takeOwn,
  signal,
}: {
  options: SaveSessionOptions;
  server: ServerState;
  shown: ShownState;
  /** True while a request of this page runs, or the page is being left. */
  isBusy: () => boolean;
  /**
   * Finds out whether the server has done what this page has sent without an answer.
   * @param current null: the post was deleted
   * @returns false when this page has not done it
   */
  takeOwn: (current: Current | null) => boolean;
  signal: AbortSignal;
}): () => Promise<void> {
  /** -1 after the deletion was reported. */
  let reportedVersion = 0;
  let asking: Promise<void> | null = null;
  const isBusy = () => server.isNew || isBusyHere();
  const look = async () => {
    const before = server.version;
    // This page may have saved meanwhile, so an answer may be outdated. The next poll reports.
    const isOutdated = () => signal.aborted || isBusy() || server.version !== before;
    const isLive = server.query === '';
    const state = await fetchJson<PostState>(
      `${url}/state?${isLive ? `opened=${before}&` : ''}present=yes`,
      userId,
    );
    if (state === null || isOutdated()) return;
    if (state === 'login' || state === 'otherAccount')
      return shown.set({ kind: 'login', isOther: state === 'otherAccount' });
    if (state === 'gone') {
      if (takeOwn(null) || reportedVersion === -1) return;
      reportedVersion = -1;
      return shown.setRemoteChange({ by: null, at: null, isDeleted: true });
    }
    onPresent(state.present ?? []);
    if (state.version === before || (state.isSameText && server.isAnswered)) {
      server.reportLostPress({ isNotDone: true });
      return shown.reachedAgain();
    }
    if (state.version < before || state.version === reportedVersion) return;
    if (!server.isAnswered) {
      const current = currentOf(await fetchJson<EditorData>(url + server.query, userId));
      if (current === null || isOutdated() || takeOwn(current)) return;
    }
    reportedVersion = state.version;
    shown.setRemoteChange({ by: state.editedBy, at: state.updatedAt, isDeleted: false });
  };
  const ask = async () => {
    if (document.visibilityState !== 'visible' || isBusy()) return;
    asking ??= look().finally(() => (asking = null));
    await asking;
  };
  const timer = setInterval(() => void ask(), EVERY_MS);
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
  return ask;
}

function currentOf(data: EditorData | string | null): Current | null {
  if (data === null || typeof data === 'string' || !data.post) return null;
  const { version, status, updatedAt, change } = data.post;
  const update = change && (change.values ?? { changeAt: '' });
  return { fields: data.values, version, status, update, editedBy: null, updatedAt: String(updatedAt) };
}
