import { useEffect, useRef, type RefObject } from 'react';
import { isForInputMethod } from '#app/ui/input-method.ts';
import { shortcutKey } from '#app/ui/shortcut-key.ts';
import { isTextField } from '#app/ui/text-field.ts';
import { useWords } from '#app/ui/words.ts';

/** A key with what it does with the row that has the focus. It presses the row's element with this `data-key`. */
export type ListKey = readonly [key: string, label: string];

const steps: Record<string, number> = { j: 1, arrowdown: 1, k: -1, arrowup: -1 };

/**
 * Keys of a list whose rows are marked with `data-row` and whose main links are marked with `data-open`: moves the focus
 * between rows, selects, does what a row offers. `?` shows them. A key does nothing while one types in a field.
 */
export function ListKeys({ root, keys }: { root: RefObject<HTMLElement | null>; keys: ListKey[] }) {
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
