import { useEffect, useRef, type RefObject } from 'react';
import { pageActionOf } from '#app/admin/editor/live/base/tools.ts';
import { focusText } from '#app/admin/editor/model/text-source.ts';
import type { ViewSettings } from '#app/admin/editor/model/view-settings.ts';
import { isForInputMethod } from '#app/ui/input-method.ts';
import { isTextField } from '#app/ui/text-field.ts';

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
