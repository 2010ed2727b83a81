import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { fetchSuggestions, type Suggestion } from '#app/admin/frame/find.ts';
import { isForInputMethod } from '#app/ui/keys.ts';
import { useWords } from '#app/ui/words.ts';

/** What was typed while the palette was loading. `isEntered`: Enter was pressed after the text. */
export interface TypedEarly {
  text: string;
  isEntered: boolean;
}

/** The page's form for an action, such as logging out; undefined for an address to navigate to. */
function formOf(address: string): HTMLFormElement | undefined {
  return [...document.forms].find(
    (form) => form.method === 'post' && form.getAttribute('action') === address,
  );
}

function open(address: string): void {
  const form = formOf(address);
  if (form) form.requestSubmit();
  else window.location.assign(address);
}

const noneFound: Suggestion[] = [];

interface PaletteProps {
  findUrl: string;
  /** Returns what was typed before this component was mounted; null at further calls. */
  takeTyped: () => TypedEarly | null;
  onClose: () => void;
}

/** Ctrl+P: jumps to any post, screen, setting or action. */
export default function Palette({ findUrl, takeTyped, onClose }: PaletteProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const [{ query, answer }, setResult] = useState<{ query: string | null; answer: Suggestion[] | null }>({
    query: null,
    answer: null,
  });
  const found = answer ?? noneFound;
  const [at, setAt] = useState(0);
  // Enter never opens a result of an earlier query: it waits for the current one's.
  const isEnterPending = useRef(false);
  const take = useRef(takeTyped);
  // In the same step, so that no key comes between the focus and the text that was typed before.
  useLayoutEffect(() => {
    showModal(dialog.current!);
    const typed = take.current();
    if (typed === null) return;
    isEnterPending.current = typed.isEntered;
    setText(typed.text);
  }, []);
  useEffect(() => {
    const stopped = new AbortController();
    const ask = async () => {
      const suggestions = await fetchSuggestions(findUrl, { q: text, kind: 'jump' }, stopped.signal);
      if (stopped.signal.aborted) return;
      setResult({ query: text, answer: suggestions });
      setAt(0);
    };
    const timer = setTimeout(() => void ask(), text === '' ? 0 : 120);
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [findUrl, text]);
  useEffect(() => {
    if (query !== text || !isEnterPending.current) return;
    isEnterPending.current = false;
    if (found[0]) open(found[0].address);
  }, [query, text, found]);
  const onKey = (event: KeyboardEvent) => {
    // Enter and the arrows belong to the input method while it shows its choices.
    if (isForInputMethod(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && query !== text) isEnterPending.current = true;
    else if (event.key === 'Enter' && found[at]) open(found[at].address);
    // Handled here, since a search field would use Esc to clear its text.
    else if (event.key === 'Escape') dialog.current?.close();
    else if (step && found.length > 0) setAt((at + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  return (
    <dialog ref={dialog} className="palette" aria-label={t('Jump to')} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={t('Jump to a post, a screen or a setting')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[at] ? optionId(at) : undefined}
        placeholder={t('Jump to a post, a screen or a setting')}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          isEnterPending.current = false;
          setText(target.value);
        }}
        onKeyDown={onKey}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t('Found')} className="palette-list">
        {found.map(({ title, address, detail }, index) => (
          <li key={`${address} ${title}`} id={optionId(index)} role="option" aria-selected={index === at}>
            <a
              href={address}
              tabIndex={-1}
              onClick={(event) => {
                if (!formOf(address)) return;
                event.preventDefault();
                open(address);
              }}
            >
              <span>{title}</span> <span className="hint">{t(detail)}</span>
            </a>
          </li>
        ))}
      </ul>
      {query !== null && found.length === 0 ? (
        <p className="hint" role="status">
          {answer ? t('Nothing matches.') : t('The server cannot be reached.')}
        </p>
      ) : null}
    </dialog>
  );
}

/**
 * Shows a modal dialog. A dialog that closes returns the focus to a field, but without its caret: what is then typed
 * is lost. A field that gets the focus in the usual way has its caret again.
 */
function showModal(dialog: HTMLDialogElement): void {
  const field = document.activeElement;
  dialog.showModal();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const focusAgain = () => {
    field.blur();
    field.focus({ preventScroll: true });
  };
  field.addEventListener('focus', focusAgain, { once: true });
  // Where something else gets the focus, a later click on the field is an ordinary one.
  const forget = () => setTimeout(() => field.removeEventListener('focus', focusAgain));
  dialog.addEventListener('close', forget, { once: true });
}
