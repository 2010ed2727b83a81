import {
  contentOf,
  readFields,
  sameContent,
  VALUES_WRITTEN,
  writeFields,
  type FormFields,
} from '#app/admin/editor/model/form-fields.ts';
import { TEXT_CHANGED } from '#app/admin/editor/model/text-source.ts';
import { isUploading } from '#app/admin/media/upload.ts';
import { DeviceCopy, deviceTime } from './device-copy.ts';
import type { LocalCopy } from './local-copy.ts';
import { sendForm, type Accepted, type Answer, type Current } from './requests.ts';
import { changesState, storesText } from './sent-text.ts';
import { ServerState, watchPost } from './server-state.ts';
import {
  type SaveSessionOptions,
  ShownState,
  refusedState,
  savedState,
  AT_LEAST_EVERY_MS,
  DOUBLE_PRESS_MS,
  PAUSE_MS,
  RETRY_MS,
} from './state.ts';

/**
 * Saves the editor's form without leaving the page: after each pause in typing and at each button, one request at a
 * time. The browser's storage has a copy of the text until the server has it.
 */
export class SaveSession {
  readonly #options: SaveSessionOptions;
  readonly #form: HTMLFormElement;
  readonly #ended = new AbortController();
  readonly #shown: ShownState;
  readonly #server: ServerState;
  readonly #changes = new ChangeCounter();
  #running: Promise<unknown> | null = null;
  #leaving = false;
  readonly #doubleClicks = new DoubleClickGuard();
  /** True while a pressed save has not reached the server. */
  #pressedSave = false;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #device: DeviceCopy;
  /** Asks the server what it has. */
  #ask = () => Promise.resolve();

  constructor(options: SaveSessionOptions) {
    this.#options = options;
    this.#form = options.form;
    this.#server = new ServerState(this.#form, options);
    this.#device = new DeviceCopy(options);
    this.#shown = new ShownState(options.onState, {
      isDirty: () => this.#changes.isDirty,
      isUnsaved: () => this.#changes.isDirty || this.#server.hasCopy,
    });
  }

  /** The address of the editor with the text of this page. */
  get textUrl(): string {
    return this.#options.postUrl + this.#server.query;
  }

  /** Starts to listen and to save. @returns the copy on this device that was restored to the form, or null */
  start(): LocalCopy | null {
    const { signal } = this.#ended;
    this.#form.addEventListener('formdata', ({ formData }) => this.#server.writeInto(formData), { signal });
    const restoredCopy = this.#restoreOwnCopy();
    // The text differs: typed before scripts ran, restored by the browser, or refused by the server.
    if (!restoredCopy && !sameContent(contentOf(readFields(this.#form)), this.#options.stored)) this.touch();
    const onInput = ({ target }: Event) => {
      // The live editor announces its own changes; a chosen file is not part of the form.
      if (target instanceof HTMLInputElement && (!target.name || target.type === 'file')) return;
      if (!(target instanceof HTMLElement && target.isContentEditable)) this.touch();
    };
    // The network is back, or the page is visible again.
    const onReturn = () => {
      if (this.#changes.isDirty && this.#shown.isBlocked) void this.#autosave();
    };
    const onVisibility = () => {
      if (document.visibilityState === 'visible') return onReturn();
      if (this.#changes.isDirty) void this.#autosave({ keepalive: true });
      // After the save, so that the copy records the text that was just sent.
      this.#keepNow();
    };
    const mayLeave = () =>
      this.#leaving || !this.#changes.isDirty || (!this.#shown.isBlocked && this.#keepNow());
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isUploading() || !mayLeave()) event.preventDefault();
    };
    this.#form.addEventListener('input', onInput, { signal });
    this.#form.addEventListener(TEXT_CHANGED, () => this.touch(), { signal });
    window.addEventListener('online', onReturn, { signal });
    document.addEventListener('visibilitychange', onVisibility, { signal });
    window.addEventListener('pagehide', () => void this.#keepNow(), { signal });
    // Also from the browser's back/forward cache.
    window.addEventListener('pageshow', () => (this.#leaving = false), { signal });
    window.addEventListener('beforeunload', onLeave, { signal });
    this.#ask = watchPost({
      options: this.#options,
      server: this.#server,
      shown: this.#shown,
      isBusy: () => this.#running !== null || this.#leaving,
      takeOwn: (current) => this.#takeOwn(current) !== null,
      signal,
    });
    return restoredCopy;
  }

  stop(): void {
    this.#keepNow();
    clearTimeout(this.#sendTimer);
    this.#device.stop();
    this.#ended.abort();
  }

  /** Records a change on the screen, and saves it after a pause. */
  touch(): void {
    this.#changes.add();
    if (!this.#running) this.#shown.typed();
    this.#device.later(() => this.#keepNow());
    this.#autosaveIn(this.#changes.waitFor(this.#shown.isBlocked ? RETRY_MS : PAUSE_MS));
  }

  async submit(intent: string): Promise<void> {
    if (this.#doubleClicks.isRepeated(intent, this.#changes.made)) return;
    clearTimeout(this.#sendTimer);
    this.#keepNow();
    while (this.#running) await this.#running;
    if (this.#leaving) return;
    this.#options.onErrors({});
    await this.#exchange(intent);
  }

  /** Called before a form is submitted whose answer is another page. */
  leave(): void {
    this.#keepNow();
    this.#leaving = true;
    clearTimeout(this.#sendTimer);
  }

  /** Restores a text that another tab has stored on this device. */
  restore(copy: LocalCopy): void {
    writeFields(this.#form, contentOf(copy.fields));
    this.#form.dispatchEvent(new Event(VALUES_WRITTEN));
    const { version, releaseText, sent } = copy;
    if (!this.#server.isNew) this.#server.startFrom({ version, releaseText, sent });
    this.touch();
  }

  #restoreOwnCopy(): LocalCopy | null {
    const restored = this.#device.restore(this.#options.stored);
    if (!restored) return null;
    const { copy, isSaved } = restored;
    // With `isSaved`, this page has a newer version than the copy. A later text may still be on its way.
    this.#server.startFrom(isSaved ? { sent: copy.sent } : copy);
    this.touch();
    return copy;
  }

  #autosaveIn(ms: number): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = setTimeout(() => void this.#autosave(), ms);
  }

  async #autosave({ keepalive = false } = {}): Promise<void> {
    clearTimeout(this.#sendTimer);
    // A lost button may have saved the text. A copy of it would be an unsaved change.
    if (this.#server.lostPress && !keepalive) await this.#ask();
    if (this.#leaving || this.#ended.signal.aborted || !this.#changes.isDirty) return;
    if (this.#running) {
      await this.#running;
      if (this.#changes.isDirty) this.#autosaveIn(PAUSE_MS);
      return;
    }
    await this.#exchange(this.#pressedSave ? 'save' : 'autosave', { keepalive });
  }

  async #exchange(intent: string, { keepalive = false } = {}): Promise<void> {
    await (this.#running = this.#send(intent, { keepalive }).finally(() => (this.#running = null)));
  }

  async #send(intent: string, { keepalive }: { keepalive: boolean }): Promise<void> {
    const at = storesText(intent) ? this.#changes.send() : this.#changes.acknowledged;
    const fields = { ...this.#options.slug.without(readFields(this.#form)), intent };
    const forgetSent = this.#server.send(fields);
    if (!this.#shown.isBlocked && storesText(intent)) this.#shown.set({ kind: 'saving' });
    const { newUrl, postUrl, userId } = this.#options;
    const answer = await sendForm(this.#server.isNew ? newUrl : postUrl, fields, { userId, keepalive });
    if (this.#ended.signal.aborted) return;
    if (answer.kind === 'autosaved' || answer.kind === 'done')
      return this.#accept(answer, intent, fields, at);
    if (answer.kind === 'wrong' || answer.kind === 'conflict') forgetSent();
    if (this.#refuse(answer, intent)) await this.#send(intent, { keepalive });
  }

  #accept(answer: Accepted, intent: string, sent: FormFields, at: number): void {
    const isCreated = this.#server.accept(answer, intent);
    this.#options.onSaved(answer, sent, isCreated);
    const state = savedState(answer);
    // This device keeps the fields that an autosave has left out.
    if (state.kind !== 'leftOut') this.#changes.acknowledged = at;
    this.#pressedSave = false;
    if (answer.kind === 'done') this.#shown.forgetRemoteChange();
    if (this.#changes.isDirty) this.#keepNow();
    else this.#device.drop();
    const isNewer = this.#changes.made > at;
    if (isNewer) this.#autosaveIn(PAUSE_MS);
    if (isNewer || storesText(intent)) this.#shown.set(isNewer ? { kind: 'typing' } : state);
    if (answer.kind === 'done') this.#options.onDone(intent, answer.answer, sent);
  }

  /** @returns true when the button is to be sent again */
  #refuse(answer: Exclude<Answer, Accepted>, intent: string): boolean {
    if (answer.kind === 'conflict') return this.#handleConflict(answer, intent);
    const pressed = intent === 'autosave' ? null : intent;
    const isWrong = answer.kind === 'wrong';
    if (isWrong) this.#pressedSave = false;
    // A pressed save is retried automatically; other buttons wait for another press.
    else if (answer.kind !== 'failed') this.#pressedSave ||= pressed === 'save';
    if (this.#pressedSave && !this.#changes.isDirty) this.#changes.add();
    const isKept = this.#keepNow();
    if (isWrong && pressed) this.#options.onErrors(answer.errors);
    this.#shown.set(refusedState(answer, { pressed, isKept }));
    if (!isWrong && changesState(intent)) this.#server.reportLostPress({ isNotDone: false });
    // An autosave still saves the other fields.
    if (!isWrong) this.#autosaveIn(RETRY_MS);
    else if (pressed) this.#autosaveIn(PAUSE_MS);
    return false;
  }

  /**
   * Somebody else has saved a newer version, or this page has and the answer got lost.
   * @returns true when the button is to be sent again
   */
  #handleConflict({ message, current }: Extract<Answer, { kind: 'conflict' }>, intent: string): boolean {
    this.#keepNow();
    const own = this.#takeOwn(current);
    if (own && changesState(intent))
      return current !== null && (own.intent !== intent || this.#changes.isDirty);
    // “Save”, pressed on the page of a draft, must not change what is public by now.
    if (own) return intent === 'save' && !changesState(own.intent);
    this.#pressedSave = false;
    const { editedBy: by = null, updatedAt: at = null } = current ?? {};
    // No conflict with others: the intent would leave out the user's own newer unsaved changes.
    if (current && current.version === this.#server.version)
      this.#shown.set({ kind: 'choose', message, intent });
    else this.#shown.setRemoteChange({ by, at, isDeleted: !current });
    return false;
  }

  /** Continues from what the server has done of what this page has sent without an answer. */
  #takeOwn(current: Current | null): FormFields | null {
    const shown = readFields(this.#form);
    const own = this.#server.findOwnSave(current, shown);
    if (!own) return null;
    const isSaved = this.#server.adopt(current, own, shown);
    this.#shown.forgetRemoteChange();
    if (changesState(own.intent)) this.#pressedSave = false;
    if (isSaved && !this.#pressedSave) {
      this.#changes.acknowledged = this.#changes.made;
      this.#device.drop();
      this.#shown.set({ kind: 'saved', in: 'post', at: new Date(current?.updatedAt ?? deviceTime()) });
    } else {
      // A copy on the server is based on the version before.
      this.#changes.add();
      this.#shown.set({ kind: 'typing' });
      this.#autosaveIn(0);
    }
    this.#options.onOwnSave(own);
    return own;
  }

  /** @returns false when this device cannot keep the text */
  #keepNow(): boolean {
    if (!this.#changes.isDirty || this.#leaving) return true;
    return this.#device.keep(this.#server.forCopy());
  }
}

/** Counts the changes on the screen, those that were sent, and those that the server has. */
class ChangeCounter {
  made = 0;
  /** How many of them the server has. */
  acknowledged = 0;
  #sent = 0;
  /** When the first change after the last sent text was made. */
  #unsentSince = 0;

  get isDirty(): boolean {
    return this.made > this.acknowledged;
  }

  add(): void {
    if (this.made === this.#sent) this.#unsentSince = performance.now();
    this.made += 1;
  }

  /** How long to wait for a pause in typing. Text is sent after a while also without a pause. */
  waitFor(pause: number): number {
    return Math.max(0, Math.min(pause, this.#unsentSince + AT_LEAST_EVERY_MS - performance.now()));
  }

  /** Records that all changes are being sent. @returns their number */
  send(): number {
    return (this.#sent = this.made);
  }
}

/** Remembers the last button that was pressed, to ignore the second press of a double click. */
class DoubleClickGuard {
  #intent = '';
  #at = -Infinity;
  #changes = 0;

  /** True for a second press of the same button soon after the first and without a change between: a double click. */
  isRepeated(intent: string, changes: number): boolean {
    const at = performance.now();
    if (intent === this.#intent && at - this.#at < DOUBLE_PRESS_MS && changes === this.#changes) return true;
    this.#intent = intent;
    this.#at = at;
    this.#changes = changes;
    return false;
  }
}
