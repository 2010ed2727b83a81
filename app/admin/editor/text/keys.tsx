import { useEffect, useRef, type RefObject } from 'react';
import { pageKeys, tools, pageActionOf } from '#app/admin/editor/live/base/tools.ts';
import { focusText } from '#app/admin/editor/model/text-source.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { isForInputMethod, isTextField } from '#app/ui/keys.ts';
import { useWords } from '#app/ui/words.ts';

// React 18's types do not know the popover attributes yet.
export const keysButton = { popovertarget: 'keys' } as const;
const keysPopover = { popover: 'auto' } as const;

export function KeyboardMap() {
  const t = useWords();
  const keys = [...pageKeys, ...tools.filter(({ key }) => key !== undefined)];
  return (
    <div id="keys" className="keys" role="dialog" aria-labelledby="keys-title" tabIndex={0} {...keysPopover}>
      <h2 id="keys-title">{t('Keyboard')}</h2>
      <dl>
        {keys.map((shortcut) => (
          <div key={shortcut.label}>
            <dt>{t(shortcut.label)}</dt>
            <dd>
              <kbd>Ctrl</kbd> {'shift' in shortcut ? <kbd>Shift</kbd> : null}{' '}
              <kbd>{shortcut.key!.toUpperCase()}</kbd>
            </dd>
          </div>
        ))}
        {otherKeys.map(([label, key]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        {t(
          'On a Mac, ⌘ takes the place of Ctrl. Ctrl K makes a link, or edits the one at the caret. Ctrl P, or / outside the text, jumps to a post, a screen or a setting. Tab nests an item of a list and indents code; elsewhere, and after Esc, it leaves the text.',
        )}
      </p>
    </div>
  );
}

const otherKeys = [
  ['Jump to a post, a screen or a setting', 'Ctrl P'],
  ['New paragraph', 'Enter'],
  ['Line break', 'Shift Enter'],
  ['Insert menu', '/'],
  ['Link to a post', '[['],
  ['Continue a list', 'Enter'],
  ['Move along the toolbar', '← →'],
  ['Move a block up or down', 'Alt ↑ ↓'],
  ['Menu of a block, tools for selected words', 'Alt F10'],
  ['In a table: the row below, or a new one', 'Enter'],
  ['In a table: move row or column', 'Alt ← ↑ → ↓'],
  ['In a table: a row below this one', 'Alt Enter'],
  ['Leave a table or a picture', 'Esc'],
  ['In a footnote: back to its place in the text', 'Esc'],
  ['Leave focus mode', 'Esc'],
  ['These keys, outside the text', '?'],
] as const;

/** The keyboard shortcuts of the whole form: save, preview, source, focus. Enter in the title moves to the text. */
export function usePageKeys(
  root: RefObject<HTMLElement | null>,
  textarea: RefObject<HTMLTextAreaElement | null>,
  view: ViewSettings,
  onView: (part: Partial<ViewSettings>) => void,
): void {
  const latest = useRef({ view, onView });
  useEffect(() => {
    latest.current = { view, onView };
  });
  useEffect(() => {
    const form = root.current!.closest('form')!;
    const onKey = (event: KeyboardEvent) => {
      const { view, onView } = latest.current;
      // The shortcuts work in the form, and while nothing on the page has the focus.
      const isHere = event.target === document.body || form.contains(event.target as Node);
      if (!isHere) return;
      const isTitle = event.target instanceof HTMLTextAreaElement && event.target.name === 'title';
      const action = pageActionOf(event);
      if (action === 'save') form.requestSubmit(form.querySelector('button'));
      else if (action === 'preview') onView({ previewing: !view.previewing });
      else if (action === 'source') onView({ mode: view.mode === 'source' ? 'live' : 'source' });
      else if (action === 'focus') onView({ focusing: !view.focusing });
      else if (event.key === 'Escape' && view.focusing && !event.defaultPrevented)
        onView({ focusing: false });
      else if (event.key === 'Enter' && isTitle && !isForInputMethod(event)) focusText(textarea.current!);
      else return;
      event.preventDefault();
    };
    // `?` shows the shortcuts, except in a text field.
    const onQuestion = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key === '?' && !isTextField(target) && !defaultPrevented)
        document.getElementById('keys')?.togglePopover();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('keydown', onQuestion);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keydown', onQuestion);
    };
  }, [root, textarea]);
}
