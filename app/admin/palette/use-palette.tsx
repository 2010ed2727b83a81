import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the palette at Ctrl+K (⌘K), wherever one is. The text takes the keys for a link of chosen words. */
export function usePalette(findUrl: string | null): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (findUrl === null) return;
    const onKey = (event: KeyboardEvent) => {
      const isKeys = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isKeys || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [findUrl]);
  if (!isOpen || findUrl === null) return null;
  return (
    <Suspense>
      <Palette findUrl={findUrl} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
