import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { shortcutKey } from '#app/ui/shortcut-key.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the palette at Ctrl+K (⌘K). With a selection in the text, these keys insert a link instead. */
export function usePalette(findUrl: string | null): ReactNode {
  const [isOpen, setOpen] = useState(false);
  // What is typed while the palette loads; null at any other time.
  const typed = useRef<string | null>(null);
  useEffect(() => {
    if (findUrl === null) return;
    const onKey = (event: KeyboardEvent) => {
      const isKeys = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isKeys || shortcutKey(event) !== 'k' || event.defaultPrevented) return;
      event.preventDefault();
      typed.current = '';
      setOpen(true);
    };
    const keepKey = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (typed.current === null || !isText) return;
      event.preventDefault();
      event.stopPropagation();
      typed.current += event.key;
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('keydown', keepKey, true);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keydown', keepKey, true);
    };
  }, [findUrl]);
  if (!isOpen || findUrl === null) return null;
  const takeTyped = () => {
    const text = typed.current ?? '';
    typed.current = null;
    return text;
  };
  return (
    <Suspense>
      <Palette findUrl={findUrl} takeTyped={takeTyped} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
