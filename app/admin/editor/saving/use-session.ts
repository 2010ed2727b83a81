import { useEffect, useRef, useState, type RefObject } from 'react';
import type { EditorData } from '#app/admin/editor/model/data.server.ts';
import {
  readFields,
  VALUES_WRITTEN,
  writeField,
  type FormFields,
} from '#app/admin/editor/model/form-fields.ts';
import { focusText } from '#app/admin/editor/model/text-source.ts';
import { adminUrl } from '#app/admin/frame/admin-url.ts';
import type { AdminContext } from '#app/admin/frame/screen.ts';
import type { FieldErrors } from '#app/platform/errors.ts';
import { nameOfText, SCHEDULED_TEXT } from '#app/posts/fields/states.ts';
import { dropCopiesOf } from './device-copy.ts';
import { GivenSlug, changesState, isStored, storesText } from './sent-text.ts';
import { dropCopy, keyOf, otherCopies, pageOf, readCopy, type LocalCopy } from './local-copy.ts';
import { fetchJson } from './requests.ts';
import { SaveSession } from './session.ts';
import { savedState, type LostPress, type SaveState, RETRY_MS } from './state.ts';

/** The time in which the last save of a page arrives after the browser has left the page. */
const ARRIVES_WITHIN_MS = 2_000;

export interface Saving {
  state: SaveState;
  /** The error of a field that the last autosave left out; blank: it stored all. */
  leftOut: string;
  lostPress: LostPress | null;
  /** The post on the server after the last save. */
  data: EditorData;
  errors: FieldErrors;
  /** The copy on this device that was restored to the form. */
  restored: LocalCopy | null;
  /** Texts of other tabs, to be restored on request. */
  others: { key: string; copy: LocalCopy }[];
  present: string[];
  restore: (key: string) => void;
  discard: (key: string) => void;
  /** Submits the form as a page, which shows both versions side by side. */
  openPage: (intent: string) => void;
}

/** Saves without leaving the page. Without scripts, the form is sent like any other form. */
export function useSaveSession(
  form: RefObject<HTMLFormElement | null>,
  options: { data: EditorData; errors: FieldErrors; adminContext: AdminContext; onPreview: () => void },
): Saving {
  const { data, adminContext } = options;
  const { adminPath } = adminContext;
  const userId = adminContext.user!.id;
  const [state, setState] = useState<SaveState>({ kind: 'clean' });
  const [leftOut, setLeftOut] = useState('');
  const [lostPress, setLostPress] = useState<LostPress | null>(null);
  const [current, setCurrent] = useState(data);
  const [errors, setErrors] = useState(options.errors);
  const [restored, setRestored] = useState<LocalCopy | null>(null);
  const [present, setPresent] = useState(data.present ?? []);
  const [others, setOthers] = useState<Saving['others']>([]);
  const session = useRef<SaveSession | null>(null);
  const givenSlug = useRef<GivenSlug | null>(null);
  const start = useRef(options);

  useEffect(() => {
    const element = form.current!;
    const { data, onPreview } = start.current;
    const newUrl = adminUrl(adminPath, 'posts', 'new');
    const postUrl = adminUrl(adminPath, 'posts', data.postId);
    const slug = (givenSlug.current = new GivenSlug(element, data));
    let sentTitle = data.values.title;
    let requests = 0;
    /** What a button sent whose stored values the form has not got yet. */
    let sentByButton: FormFields = {};
    let isUnmounted = false;
    let isSavedByButton = false;
    // A reload must find the post as it is saved.
    const showAddress = (address: string) => window.history.replaceState(window.history.state, '', address);
    const refresh = async (address: string, sent: FormFields) => {
      const request = (requests += 1);
      sentByButton = sent;
      const updated = await fetchJson<EditorData>(address, userId);
      // Ignores the answer to an earlier request that arrives after that to a later one.
      if (request !== requests) return;
      if (updated === null) {
        setTimeout(() => {
          if (request === requests) void refresh(address, sent);
        }, RETRY_MS);
        return;
      }
      if (typeof updated === 'string') return;
      sentByButton = {};
      setCurrent(withDates(updated));
      writeUnlessTyped(element, sent, updated.values);
      slug.update(updated);
      element.dispatchEvent(new Event(VALUES_WRITTEN));
    };
    const leaveFor = (address: string) => {
      saveSession.leave();
      window.location.assign(address);
    };
    const keyFor = ({ edit, releaseId }: FormFields) =>
      keyOf(userId, data.postId, nameOfText(data.post?.status, { edit, releaseId }));
    const saveSession = new SaveSession({
      form: element,
      keyFor,
      postId: data.postId,
      userId,
      isNew: data.post === null,
      newUrl,
      postUrl,
      stored: data.values,
      slug,
      onState: (next) => {
        setState(next);
        if (next.kind !== 'typing' && next.kind !== 'saving')
          setLeftOut(next.kind === 'leftOut' ? next.message : '');
      },
      onErrors: (wrong) => {
        setErrors(Object.fromEntries(Object.entries(wrong).map(([name, message]) => [name, [message]])));
      },
      onPresent: (names) => setPresent((before) => (before.join('\n') === names.join('\n') ? before : names)),
      onDone: (intent, { location }, sent) => {
        // The address names the release to which the form was saved.
        if (intent === 'delete' || endsScheduledText(sent)) return leaveFor(location);
        showAddress(location);
        void refresh(location, sent);
      },
      onLostPress: setLostPress,
      onOwnSave: (sent) => {
        if (sent.intent === 'delete') return leaveFor(adminUrl(adminPath, 'posts'));
        if (endsScheduledText(sent)) return leaveFor(postUrl);
        const isButton = changesState(sent.intent);
        if (isButton) showAddress(saveSession.textUrl);
        void refresh(saveSession.textUrl, isButton ? sent : sentByButton);
      },
      onSaved: (answer, sent, isCreated) => {
        const hasNewTitle = sent.title !== sentTitle;
        sentTitle = sent.title;
        // The server has the text now.
        setRestored(null);
        if (storesText(sent.intent) && savedState(answer).kind !== 'leftOut')
          dropCopiesOf(userId, data.postId, sent);
        // After a button, the page shows the text that was chosen. The others are offered when it is opened again.
        isSavedByButton ||= answer.kind === 'done';
        setOthers((before) => (isSavedByButton ? [] : before.filter(({ key }) => readCopy(key))));
        if (isCreated) {
          showAddress(postUrl);
          return void refresh(postUrl, {});
        }
        // The server may have made a new slug from it.
        if (hasNewTitle && answer.kind === 'autosaved' && answer.answer.saved === 'post')
          void refresh(saveSession.textUrl, sentByButton);
        const query = new URLSearchParams(window.location.search);
        if (!query.has('with')) return;
        // The earlier text that the page was opened with is no longer the newest.
        query.delete('with');
        showAddress(`${postUrl}?${query}`);
      },
    });
    session.current = saveSession;
    element.noValidate = true;
    const restoredCopy = saveSession.start();
    setRestored(restoredCopy);
    const ownKey = keyFor(data.values);
    if (data.post) dropCopiesOf(userId, data.postId, data.values);
    const others = otherCopies(userId, data.post ? data.postId : null, ownKey).filter(
      ({ copy }) => copy !== restoredCopy,
    );
    void findUnsent(others, {
      pageOf: (copy) => pageOf(copy, adminPath),
      ofNewPosts: data.post === null,
    }).then((unsent) => {
      if (!isUnmounted && !isSavedByButton) setOthers(unsent.filter(({ key }) => readCopy(key)));
    });
    // Another tab has saved or discarded its text.
    const onStorage = () => setOthers((before) => before.filter(({ key }) => readCopy(key)));
    window.addEventListener('storage', onStorage);
    const stopButtons = takeButtons(element, saveSession, onPreview);
    return () => {
      requests += 1;
      isUnmounted = true;
      window.removeEventListener('storage', onStorage);
      stopButtons();
      saveSession.stop();
    };
  }, [form, adminPath, userId]);

  const forget = (key: string) => {
    dropCopy(key);
    setOthers((before) => before.filter((other) => other.key !== key));
  };
  return {
    state,
    leftOut,
    lostPress,
    data: current,
    errors,
    restored,
    present,
    others,
    restore: (key) => {
      const other = others.find((each) => each.key === key);
      if (other) session.current?.restore(other.copy);
      forget(key);
      const body = form.current?.elements.namedItem('body');
      if (other && body instanceof HTMLTextAreaElement) focusText(body);
    },
    discard: forget,
    openPage: (intent) => {
      const element = form.current!;
      session.current?.leave();
      const pressed = document.createElement('input');
      Object.assign(pressed, { type: 'hidden', name: 'intent', value: intent });
      element.append(pressed);
      givenSlug.current?.leaveOut();
      // This method sends no `submit` event, which would save without leaving the page.
      HTMLFormElement.prototype.submit.call(element);
    },
  };
}

/** True for a button after which there is no scheduled text: the page that had it shows the live one. */
function endsScheduledText({ edit, intent }: FormFields): boolean {
  return edit === SCHEDULED_TEXT && (intent === 'cancel-change' || intent === 'publish');
}

/** Executes the form's buttons without leaving the page. Buttons with their own address submit the form. */
function takeButtons(form: HTMLFormElement, session: SaveSession, onPreview: () => void): () => void {
  const onSubmit = (event: SubmitEvent) => {
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    const intent = button?.name === 'intent' ? button.value : 'save';
    if (intent === 'preview') onPreview();
    else if (button?.hasAttribute('formaction') || (button && button.name !== '' && button.name !== 'intent'))
      return session.leave();
    else void session.submit(intent);
    event.preventDefault();
  };
  form.addEventListener('submit', onSubmit);
  return () => form.removeEventListener('submit', onSubmit);
}

/** Writes the stored values into fields that nobody has changed meanwhile: a slug from the title, a button's time. */
function writeUnlessTyped(form: HTMLFormElement, sent: FormFields, stored: FormFields): void {
  const shown = readFields(form);
  for (const [name, value] of Object.entries(stored)) {
    if (name === 'body' || shown[name] === undefined || shown[name] === value) continue;
    if (shown[name] === sent[name]) writeField(form, name, value);
  }
}

/** Parses the dates, which JSON has as texts. */
function withDates(data: EditorData): EditorData {
  const { post } = data;
  return {
    ...data,
    now: new Date(data.now),
    post: post && {
      ...post,
      updatedAt: new Date(post.updatedAt),
      createdAt: new Date(post.createdAt),
      // Those of this page are not shown, since the text on the screen is newer.
      unsaved: post.unsaved
        .filter(({ isOfThisPage }) => !isOfThisPage)
        .map((changes) => ({ ...changes, at: new Date(changes.at) })),
      change: post.change && { ...post.change, at: new Date(post.change.at) },
    },
  };
}

interface Kept {
  key: string;
  copy: LocalCopy;
}

/**
 * The copies on this device that the server does not have. Deletes those that it has: as the saved text, or as this user's
 * unsaved changes, which the editor offers itself.
 * @param options.pageOf the address of the editor that saves a copy to where it was typed for
 * @param options.ofNewPosts only the copies of posts that the server does not have. The editor of any other post offers its own.
 */
async function findUnsent(
  kept: Kept[],
  options: { pageOf: (copy: LocalCopy) => string; ofNewPosts: boolean },
): Promise<Kept[]> {
  const isOffered = await Promise.all(
    kept.map(async ({ key, copy }) => {
      const found = await findCopy(copy, options.pageOf(copy));
      if (found === 'stored') dropCopy(key);
      return found === 'unknown' || (found === 'other' && !options.ofNewPosts);
    }),
  );
  return kept.filter((_, index) => isOffered[index]);
}

/** What the server has of a copy: its text, only another text of its post, or no post. */
type Found = 'stored' | 'other' | 'unknown';

async function findCopy(copy: LocalCopy, url: string): Promise<Found> {
  const found = await compare(copy, url);
  if (found === 'stored' || copy.sent.length === 0) return found;
  await new Promise((done) => setTimeout(done, ARRIVES_WITHIN_MS));
  return compare(copy, url);
}

async function compare(copy: LocalCopy, url: string): Promise<Found> {
  const page = await readEditor(url);
  if (!page) return 'unknown';
  if (isStored(copy, page.values)) return 'stored';
  const unsaved = page.post?.unsaved.find(({ isOfThisPage }) => isOfThisPage);
  const restored = unsaved && (await readEditor(`${url}${url.includes('?') ? '&' : '?'}with=${unsaved.id}`));
  return restored && isStored(copy, restored.values) ? 'stored' : 'other';
}

async function readEditor(url: string): Promise<EditorData | null> {
  const data = await fetchJson<EditorData>(url);
  return typeof data === 'string' ? null : data;
}
