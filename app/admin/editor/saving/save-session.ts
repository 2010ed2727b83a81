import { contentOf, readFields, sameContent, writeFields, type FormFields } from './form-fields.ts';
import { DeviceCopy } from './device-copy.ts';
import { ServerState } from './server-state.ts';
import type { LocalCopy } from './local-copy.ts';
import { DoubleClickGuard } from './double-click-guard.ts';
import { listenToPage } from './listen-to-page.ts';
import { sendForm, type Accepted, type Answer } from './requests.ts';
import { AT_LEAST_EVERY_MS, PAUSE_MS, RETRY_MS } from './save-times.ts';
import type { SaveSessionOptions } from './save-session-options.ts';
import { savedState, type SaveState } from './save-state.ts';
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
      url: `${this.#options.postUrl}/state`,
      userId: this.#options.userId,
      server: this.#server,
      isBusy: () => this.#running !== null || this.#leaving,
      onSameVersion: () => this.#shown.reachedAgain({ isDirty: this.#isDirty() }),
      onRemoteChange: (remoteChange) =>
        this.#shown.setRemoteChange(remoteChange, { isDirty: this.#isDirty() }),
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
    this.#keepNow();
    const pressed = intent === 'autosave' ? null : intent;
    switch (answer.kind) {
      case 'unreachable':
        this.#rememberPress(pressed);
        this.#set({ kind: 'offline', pressed: pressed === 'save' ? null : pressed, isKept: this.#keepNow() });
        return this.#autosaveIn(RETRY_MS);
      case 'login':
        this.#rememberPress(pressed);
        this.#set({ kind: 'login', isOther: answer.isOther });
        return this.#autosaveIn(RETRY_MS);
      case 'failed':
        this.#set({ kind: 'failed', message: answer.message });
        return this.#autosaveIn(RETRY_MS);
      case 'wrong':
        this.#pressedSave = false;
        if (pressed) this.#options.onErrors(answer.errors);
        this.#set({ kind: 'failed', message: pressed ? '' : (Object.values(answer.errors)[0] ?? '') });
        // An autosave still saves the other fields.
        return pressed ? this.#autosaveIn(PAUSE_MS) : undefined;
      case 'conflict':
        return this.#handleConflict(answer, intent);
    }
  }

  /** A pressed save is retried automatically; other buttons wait for another press. */
  #rememberPress(pressed: string | null): void {
    this.#pressedSave ||= pressed === 'save';
    if (this.#pressedSave && !this.#isDirty()) this.#changes += 1;
  }

  /** Somebody else has saved a newer version, or this page has and the answer got lost. */
  #handleConflict({ message, current }: Extract<Answer, { kind: 'conflict' }>, intent: string): void {
    if (current && this.#server.isOwnSave(current)) {
      this.#server.startFrom({ version: String(current.version), releaseText: current.releaseText });
      this.#shown.forgetRemoteChange();
      this.#autosaveIn(0);
      this.#pressedSave ||= intent === 'save';
      return this.#set({ kind: 'typing' });
    }
    this.#pressedSave = false;
    // No conflict with others: the intent would leave out the user's own newer unsaved changes.
    if (current && current.version === this.#server.version)
      return this.#set({ kind: 'choose', message, intent });
    const { editedBy: by = null, updatedAt: at = null } = current ?? {};
    this.#shown.setRemoteChange({ by, at, isDeleted: !current }, { isDirty: this.#isDirty() });
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
