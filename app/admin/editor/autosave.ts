/** What the editor tells about unsaved text. */
export type AutosaveState =
  | { kind: 'clean' }
  | { kind: 'typing' }
  | { kind: 'saving' }
  | { kind: 'saved'; in: 'post' | 'copy'; at: Date }
  | ({ kind: 'failed' } & Failure);

/** What the server answers (contract, section 8). */
export interface AutosaveAnswer {
  /** Where the text is: in the post, or in a copy that only this editor sees. */
  saved: 'post' | 'copy';
  version: number;
  savedAt: string;
}

interface Failure {
  message: string;
  /** What helps: another try, a login, or a save by hand, which shows what others have changed. */
  remedy: 'retry' | 'login' | 'save';
}

const PAUSE_MS = 2_000;
const AT_LEAST_EVERY_MS = 10_000;
const RETRY_MS = 8_000;
// What a browser still sends for a page that is being closed.
const KEEPALIVE_MAX_BYTES = 60_000;

/**
 * Sends the form to `url` after each pause in typing, one request at a time, and again after a failure.
 * Warns before the page is left with text that no request has carried yet.
 * @returns what ends it all.
 */
export function startAutosave(
  form: HTMLFormElement,
  options: {
    url: () => string;
    onState: (state: AutosaveState) => void;
    onSaved: (answer: AutosaveAnswer) => void;
  },
): () => void {
  let dirty = false;
  let leaving = false;
  let dirtySince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  const ended = new AbortController();
  const { signal } = ended;

  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void send(), ms);
  };

  async function send(keepalive = false): Promise<void> {
    clearTimeout(timer);
    if (!dirty || leaving) return;
    if (running) return running.then(() => later(PAUSE_MS));
    dirty = false;
    options.onState({ kind: 'saving' });
    running = post(form, options.url(), keepalive).then((answer) => {
      running = undefined;
      if (signal.aborted) return;
      if ('savedAt' in answer) {
        options.onSaved(answer);
        const { saved, savedAt } = answer;
        options.onState(dirty ? { kind: 'typing' } : { kind: 'saved', in: saved, at: new Date(savedAt) });
      } else {
        dirty = true;
        options.onState({ kind: 'failed', ...answer });
        if (answer.remedy !== 'save') later(RETRY_MS);
      }
    });
    return running;
  }

  form.addEventListener(
    'input',
    (event) => {
      if (event.target instanceof HTMLInputElement && !event.target.name) return;
      const now = performance.now();
      if (!dirty) {
        dirty = true;
        dirtySince = now;
        if (!running) options.onState({ kind: 'typing' });
      }
      later(Math.max(0, Math.min(PAUSE_MS, dirtySince + AT_LEAST_EVERY_MS - now)));
    },
    { signal },
  );
  form.addEventListener(
    'submit',
    (event) => {
      // A second press of a button while the first one is on its way does nothing.
      if (leaving) event.preventDefault();
      leaving = true;
      clearTimeout(timer);
      setTimeout(() => (leaving = false), 6_000);
      // A draft that is being made for a new post comes first, or there would be two of it.
      if (running && !event.defaultPrevented) holdBack(form, event, running);
    },
    { signal },
  );
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') void send(true);
    },
    { signal },
  );
  window.addEventListener(
    'beforeunload',
    (event) => {
      if ((dirty || running) && !leaving) event.preventDefault();
    },
    { signal },
  );
  window.addEventListener('pageshow', () => (leaving = false), { signal });
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}

function holdBack(form: HTMLFormElement, event: SubmitEvent, until: Promise<void>): void {
  event.preventDefault();
  const { submitter } = event;
  void until.finally(() => {
    if (submitter instanceof HTMLButtonElement && submitter.name) {
      const pressed = document.createElement('input');
      Object.assign(pressed, { type: 'hidden', name: submitter.name, value: submitter.value });
      form.append(pressed);
    }
    // Without another `submit` event: this one was seen.
    HTMLFormElement.prototype.submit.call(form);
  });
}

async function post(
  form: HTMLFormElement,
  url: string,
  keepalive: boolean,
): Promise<AutosaveAnswer | Failure> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('intent', 'autosave');
  const bytes = body.toString();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: bytes,
      keepalive: keepalive && bytes.length < KEEPALIVE_MAX_BYTES,
    });
    const answer = (await response.json()) as AutosaveAnswer | Refusal;
    return 'saved' in answer ? answer : failureOf(response.status, answer);
  } catch {
    return { message: 'The server cannot be reached.', remedy: 'retry' };
  }
}

interface Refusal {
  error?: { message: string };
  errors?: Record<string, string>;
  current?: { editedBy: string | null } | null;
}

function failureOf(status: number, { error, errors, current }: Refusal): Failure {
  if (status === 409) {
    const changed = `${current?.editedBy ?? 'Somebody'} has changed this post.`;
    return { message: current ? changed : 'Somebody has deleted this post.', remedy: 'save' };
  }
  const message = error?.message ?? Object.values(errors ?? {})[0] ?? 'The server failed.';
  return { message, remedy: status === 401 ? 'login' : 'retry' };
}
