import { useEffect, useRef, type RefObject, useState, type FormEvent, type ReactNode } from 'react';
import { isForInputMethod, shortcutKey, isTextField } from '#app/ui/keys.ts';
import { useScripted } from '#app/ui/scripts.ts';
import { useWords } from '#app/ui/words.ts';
import { pageUserHeader } from './page-user-field.tsx';

/** A key with what it does with the row that has the focus. It presses the row's element with this `data-key`. */
export type ListKey = readonly [key: string, label: string];

const steps: Record<string, number> = { j: 1, arrowdown: 1, k: -1, arrowup: -1 };

/**
 * Keys of a list whose rows are marked with `data-row` and whose main links are marked with `data-open`: moves the focus
 * between rows, selects, does what a row offers. `?` shows them. A key does nothing while one types in a field.
 */
function ListKeys({ root, keys }: { root: RefObject<HTMLElement | null>; keys: ListKey[] }) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const list = root.current!;
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, target, key } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || isForInputMethod(event)) return;
      if (isTextField(target) || document.querySelector('dialog[open]')) return;
      if (pressKey(list, target as Element, key === '?' ? key : shortcutKey(event)))
        return event.preventDefault();
      if (key !== '?') return;
      event.preventDefault();
      dialog.current?.showModal();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [root]);
  const all: ListKey[] = [
    ['J  ↓', 'Next item'],
    ['K  ↑', 'Previous item'],
    ['Enter', 'Open'],
    ['X', 'Select'],
    ...keys,
    ['?', 'Keyboard shortcuts'],
  ];
  return (
    <>
      <p className="list-keys with-scripts">
        <button type="button" className="quiet small" onClick={() => dialog.current?.showModal()}>
          {t('Keyboard shortcuts')} <kbd>?</kbd>
        </button>
      </p>
      <dialog ref={dialog} className="palette key-list" aria-labelledby="list-keys">
        <h2 id="list-keys">{t('Keyboard shortcuts')}</h2>
        <dl>
          {all.map(([key, label]) => (
            <div key={key}>
              <dt>
                {key.split('  ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{t(label)}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button>{t('Close')}</button>
        </form>
      </dialog>
    </>
  );
}

/** @returns false for a key that does nothing here */
function pressKey(list: HTMLElement, target: Element, key: string): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(target));
  const step = steps[key];
  if (step !== undefined) {
    // Without a row the arrows scroll the page.
    if (at < 0 && key.startsWith('arrow')) return false;
    const next = rows[at < 0 ? 0 : at + step];
    next?.querySelector<HTMLElement>('[data-open]')?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    return true;
  }
  const pressed = rows[at]?.querySelector<HTMLElement>(
    key === 'x' ? 'input[name=ids]' : `[data-key="${CSS.escape(key)}"]`,
  );
  pressed?.click();
  return pressed != null;
}

/** Milliseconds without a key after which the list follows what is typed. */
const PAUSE_MS = 200;

interface LiveListProps {
  filters: ReactNode;
  keys: ListKey[];
  children: ReactNode;
}

/**
 * A list below its form of filters. With scripts the list follows the form while one types: the page at the form's
 * address is fetched, and its list replaces this one. So a list must work as HTML alone; what it does with scripts is
 * done here: `data-choose-all`, `data-chosen` (how many are chosen), `data-found` (read out) and keys.
 */
export function LiveList({ filters, keys, children }: LiveListProps) {
  const t = useWords();
  const root = useRef<HTMLDivElement>(null);
  const [html, setHtml] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const follow = useFollowedForm((page) => {
    setHtml(page.innerHTML);
    setSaid(page.querySelector('[data-found]')?.textContent ?? '');
  });
  useChosen(root, (count) => t.count('{count} selected', '{count} selected', count));
  return (
    <div ref={root} className={useScripted() ? 'scripted' : undefined} {...follow}>
      {filters}
      <p className="sr-only" role="status">
        {said}
      </p>
      {html === null ? (
        <div data-results>{children}</div>
      ) : (
        // From a page of this server, which has escaped everything that people wrote.
        <div key="followed" data-results dangerouslySetInnerHTML={{ __html: html }} />
      )}
      <ListKeys root={root} keys={keys} />
    </div>
  );
}

/** Handlers that fetch the list at the address of a GET form after each change of the form. */
function useFollowedForm(show: (results: Element) => void) {
  const shown = useRef(show);
  useEffect(() => void (shown.current = show));
  const running = useRef<{ timer?: ReturnType<typeof setTimeout>; request?: AbortController }>({});
  const stop = () => {
    clearTimeout(running.current.timer);
    running.current.request?.abort();
  };
  useEffect(() => stop, []);
  const load = async (address: string) => {
    const request = new AbortController();
    running.current.request = request;
    const results = await fetchResults(address, request.signal);
    if (request.signal.aborted) return;
    // The page says what is wrong: somebody has logged out, or the server cannot be reached.
    if (!results) return window.location.assign(address);
    window.history.replaceState(window.history.state, '', address);
    shown.current(results);
  };
  const formOf = ({ target }: FormEvent) => {
    const form = (target as Element).closest('form');
    return form?.method === 'get' ? form : null;
  };
  return {
    onInput(event: FormEvent) {
      const form = formOf(event);
      if (!form) return;
      stop();
      running.current.timer = setTimeout(() => void load(addressOf(form)), PAUSE_MS);
    },
    onSubmit(event: FormEvent) {
      const form = formOf(event);
      if (!form) return;
      event.preventDefault();
      stop();
      void load(addressOf(form));
    },
  };
}

async function fetchResults(address: string, signal: AbortSignal): Promise<Element | null> {
  try {
    const headers = { Accept: 'text/html', ...pageUserHeader() };
    const response = await fetch(address, { headers, signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return page.querySelector('[data-results]');
  } catch {
    return null;
  }
}

/** The address to which a GET form leads, without its empty fields. */
function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') url.searchParams.set(name, value);
  return url.href;
}

/** Chooses all rows with `data-choose-all`, and says in `data-chosen` how many are chosen. */
function useChosen(root: RefObject<HTMLElement | null>, words: (count: number) => string): void {
  const inWords = useRef(words);
  useEffect(() => void (inWords.current = words));
  useEffect(() => {
    const list = root.current!;
    const boxes = () => [...list.querySelectorAll<HTMLInputElement>('input[name=ids]')];
    const onChange = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return;
      const isAll = target.matches('[data-choose-all]');
      if (isAll) for (const box of boxes()) box.checked = target.checked;
      else if (target.name !== 'ids') return;
      const chosen = boxes().filter(({ checked }) => checked).length;
      const all = list.querySelector<HTMLInputElement>('[data-choose-all]');
      if (all && !isAll) all.checked = chosen === boxes().length;
      const count = list.querySelector('[data-chosen]');
      if (count) count.textContent = chosen > 0 ? inWords.current(chosen) : '';
    };
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [root]);
}

/** The beginning of a bar of bulk actions: selects all rows, and says how many are selected. */
export function ChooseAll() {
  const t = useWords();
  return (
    <>
      <label className="pick choose-all waits-for-script">
        <input type="checkbox" data-choose-all /> <span>{t('Select all on this page')}</span>
      </label>
      <span className="hint" role="status" data-chosen />
    </>
  );
}
