import { contentOf, readFields, sameContent, writeFields, type FormFields } from './form-fields.ts';
import { DeviceCopy } from './device-copy.ts';
import { ServerState } from './server-state.ts';
import type { LocalCopy } from './local-copy.ts';
import { DoubleClickGuard } from './double-click-guard.ts';
import { listenToPage } from './listen-to-page.ts';
import { sendForm, type Accepted, type Answer, type Current } from './requests.ts';
import { AT_LEAST_EVERY_MS, PAUSE_MS, RETRY_MS } from './save-times.ts';
import type { SaveSessionOptions } from './save-session-options.ts';
import { refusedState, savedState, type SaveState } from './save-state.ts';
import { changesState } from './sent-text.ts';
import { ShownState } from './shown-state.ts';
import { watchPost } from './watch-post.ts';

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
  /** The number of changes on the screen, at the last text that was sent, and at the last that the server has. */
  #changes = 0;
  #sent = 0;
  #acknowledged = 0;
  /** When the first change after the last sent text was made. */
  #unsentSince = 0;
  #running: Promise<unknown> | null = null;
  #leaving = false;
  readonly #doubleClicks = new DoubleClickGuard();
  /** True while a pressed save has not reached the server. */
  #pressedSave = false;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #device: DeviceCopy;

  constructor(options: SaveSessionOptions) {
    this.#options = options;
    this.#form = options.form;
    this.#server = new ServerState(this.#form, options);
    this.#device = new DeviceCopy(options);
    this.#shown = new ShownState((state) => options.onState(state));
  }

  /** Starts to listen and to save. @returns the copy on this device that was restored to the form, or null */
  start(): LocalCopy | null {
    const { signal } = this.#ended;
    this.#form.addEventListener('formdata', ({ formData }) => this.#server.writeInto(formData), { signal });
    const restoredCopy = this.#restoreOwnCopy();
    // The text differs: typed before scripts ran, restored by the browser, or refused by the server.
    if (!restoredCopy && !sameContent(contentOf(readFields(this.#form)), this.#options.stored)) this.touch();
    listenToPage(this.#form, {
      onChange: () => this.touch(),
      onReturn: () => {
        if (this.#isDirty() && this.#shown.isBlocked) void this.#autosave();
      },
      onHidden: () => {
        if (this.#isDirty()) void this.#autosave({ keepalive: true });
        // After the save, so that the copy records the text that was just sent.
        this.#keepNow();
      },
      onEnd: () => void this.#keepNow(),
      onShownAgain: () => (this.#leaving = false),
      mayLeave: () => this.#leaving || !this.#isDirty() || (!this.#shown.isBlocked && this.#keepNow()),
      signal,
    });
    watchPost({
      url: this.#options.postUrl,
      userId: this.#options.userId,
      server: this.#server,
      isBusy: () => this.#running !== null || this.#leaving,
      onSameVersion: () => this.#shown.reachedAgain({ isDirty: this.#isDirty() }),
      onRemoteChange: (remoteChange) =>
        this.#shown.setRemoteChange(remoteChange, { isDirty: this.#isDirty() }),
      onOwnSave: (current, sent) => this.#adopt(current, sent),
      onLogin: (isOther) => this.#set({ kind: 'login', isOther }),
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
    const now = performance.now();
    if (this.#changes === this.#sent) this.#unsentSince = now;
    this.#changes += 1;
    if (!this.#running) this.#shown.typed();
    this.#device.later(() => this.#keepNow());
    const pause = this.#shown.isBlocked ? RETRY_MS : PAUSE_MS;
    this.#autosaveIn(Math.max(0, Math.min(pause, this.#unsentSince + AT_LEAST_EVERY_MS - now)));
  }

  /** Executes a button. */
  async submit(intent: string): Promise<void> {
    if (this.#doubleClicks.isRepeated(intent, this.#changes)) return;
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
    const { version, releaseText, sent } = copy;
    if (!this.#server.isNew) this.#server.startFrom({ version, releaseText, sent });
    this.touch();
  }

  #restoreOwnCopy(): LocalCopy | null {
    const restored = this.#device.restore(this.#options.stored);
    if (!restored) return null;
    // With `isSaved`, the server has the last text of this page, so the page's version is the current one.
    if (!restored.isSaved) this.#server.startFrom(restored.copy);
    this.touch();
    return restored.copy;
  }

  #autosaveIn(ms: number): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = setTimeout(() => void this.#autosave(), ms);
  }

  async #autosave({ keepalive = false } = {}): Promise<void> {
    clearTimeout(this.#sendTimer);
    if (this.#leaving || this.#ended.signal.aborted || !this.#isDirty()) return;
    if (this.#running) {
      await this.#running;
      if (this.#isDirty()) this.#autosaveIn(PAUSE_MS);
      return;
    }
    await this.#exchange(this.#pressedSave ? 'save' : 'autosave', { keepalive });
  }

  async #exchange(intent: string, { keepalive = false } = {}): Promise<void> {
    this.#running = this.#send(intent, { keepalive }).finally(() => (this.#running = null));
    await this.#running;
  }

  async #send(intent: string, { keepalive }: { keepalive: boolean }): Promise<void> {
    const at = (this.#sent = this.#changes);
    const fields = { ...this.#options.slug.without(readFields(this.#form)), intent };
    const forgetSent = this.#server.send(fields);
    if (!this.#shown.isBlocked) this.#set({ kind: 'saving' });
    const { newUrl, postUrl, userId } = this.#options;
    const answer = await sendForm(this.#server.isNew ? newUrl : postUrl, fields, { userId, keepalive });
    if (this.#ended.signal.aborted) return;
    if (answer.kind === 'autosaved' || answer.kind === 'done')
      return this.#accept(answer, intent, fields, at);
    this.#refuse(answer, intent);
    // After `#refuse`, which compares a conflict with the texts that this page has sent.
    if (answer.kind !== 'unreachable' && answer.kind !== 'failed') forgetSent();
  }

  #accept(answer: Accepted, intent: string, sent: FormFields, at: number): void {
    const isCreated = this.#server.accept(answer);
    this.#options.onSaved(answer, sent, isCreated);
    const state = savedState(answer);
    // This device keeps the fields that an autosave has left out.
    if (state.kind !== 'leftOut') this.#acknowledged = at;
    this.#pressedSave = false;
    if (answer.kind === 'done') this.#shown.forgetRemoteChange();
    if (this.#isDirty()) this.#keepNow();
    else this.#device.drop();
    if (this.#changes > at) this.#autosaveIn(PAUSE_MS);
    this.#set(this.#changes > at ? { kind: 'typing' } : state);
    if (answer.kind === 'done') this.#options.onDone(intent, answer.answer, sent);
  }

  #refuse(answer: Exclude<Answer, Accepted>, intent: string): void {
    if (answer.kind === 'conflict') return this.#handleConflict(answer, intent);
    const pressed = intent === 'autosave' ? null : intent;
    const isWrong = answer.kind === 'wrong';
    if (isWrong) this.#pressedSave = false;
    // A pressed save is retried automatically; other buttons wait for another press.
    else if (answer.kind !== 'failed') this.#pressedSave ||= pressed === 'save';
    if (this.#pressedSave && !this.#isDirty()) this.#changes += 1;
    const isKept = this.#keepNow();
    if (isWrong && pressed) this.#options.onErrors(answer.errors);
    this.#set(refusedState(answer, { pressed, isKept }));
    // An autosave still saves the other fields.
    if (!isWrong) this.#autosaveIn(RETRY_MS);
    else if (pressed) this.#autosaveIn(PAUSE_MS);
  }

  /** Somebody else has saved a newer version, or this page has and the answer got lost. */
  #handleConflict({ message, current }: Extract<Answer, { kind: 'conflict' }>, intent: string): void {
    this.#keepNow();
    const own = current && this.#server.findOwnSave(current);
    if (own) return this.#adopt(current, own, intent);
    this.#pressedSave = false;
    // No conflict with others: the intent would leave out the user's own newer unsaved changes.
    if (current && current.version === this.#server.version)
      return this.#set({ kind: 'choose', message, intent });
    const { editedBy: by = null, updatedAt: at = null } = current ?? {};
    this.#shown.setRemoteChange({ by, at, isDeleted: !current }, { isDirty: this.#isDirty() });
  }

  /** Continues from a newer version that is a save of this page whose answer got lost. */
  #adopt(current: Current, sent: FormFields, pressed = 'autosave'): void {
    const { intent = '' } = sent;
    const isSaved = this.#server.adopt(current, { ...readFields(this.#form), intent });
    this.#shown.forgetRemoteChange();
    // “Save”, pressed on the page of a draft, must not change what is public by now.
    this.#pressedSave = !changesState(intent) && (this.#pressedSave || pressed === 'save');
    if (isSaved && !this.#pressedSave) {
      this.#acknowledged = this.#changes;
      this.#device.drop();
      this.#set({ kind: 'saved', in: 'post', at: new Date(current.updatedAt) });
    } else {
      // A copy on the server is based on the version before.
      this.#changes += 1;
      this.#set({ kind: 'typing' });
      this.#autosaveIn(0);
    }
    this.#options.onOwnSave(sent);
  }

  /** @returns false when this device cannot keep the text */
  #keepNow(): boolean {
    if (!this.#isDirty() || this.#leaving) return true;
    return this.#device.keep(this.#server.forCopy());
  }

  #isDirty(): boolean {
    return this.#changes > this.#acknowledged;
  }

  #set(state: SaveState): void {
    this.#shown.set(state, { isDirty: this.#isDirty() });
  }
}
