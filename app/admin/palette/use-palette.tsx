import { useEffect, useRef, useState, type ReactNode } from 'react';
import { isForInputMethod } from '#app/ui/input-method.ts';
import { shortcutKey } from '#app/ui/shortcut-key.ts';
import { isTextField } from '#app/ui/text-field.ts';
import { Loaded } from '#app/ui/loaded.ts';
import type { TypedEarly } from './palette.tsx';

const loadPalette = () => import('./palette.tsx').then((module) => module.default);

/**
 * Opens the palette at Ctrl+P (⌘P), at `/` outside of text fields, and at Ctrl+K where no text takes it for a link.
 */
export function usePalette(findUrl: string | null): ReactNode {
  const [isOpen, setOpen] = useState(false);
  // What is typed while the palette loads; null at any other time.
  const typed = useRef<TypedEarly | null>(null);
  const shown = useRef(false);
  const setShown = (isShown: boolean) => {
    shown.current = isShown;
    typed.current = isShown ? { text: '', isEntered: false } : null;
    setOpen(isShown);
  };
  const show = useRef(setShown);
  useEffect(() => {
    if (findUrl === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(isPaletteKey(event) || isSlash(event))) return;
      event.preventDefault();
      if (!shown.current) show.current(true);
    };
    const keepKey = (event: KeyboardEvent) => {
      if (typed.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') show.current(false);
      else if (isForInputMethod(event) || !addKey(typed.current, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('keydown', keepKey, true);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('keydown', keepKey, true);
    };
  }, [findUrl]);
  if (findUrl === null) return null;
  const close = () => setShown(false);
  const takeTyped = () => {
    const taken = typed.current;
    typed.current = null;
    return taken;
  };
  const props = isOpen && { findUrl, takeTyped, onClose: close };
  return <Loaded load={loadPalette} shown={props} onFailed={close} />;
}

function isPaletteKey(event: KeyboardEvent): boolean {
  const isKeys = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  return isKeys && /^[kp]$/.test(shortcutKey(event));
}

function isSlash({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTextField(target);
}

/** Adds a key to what was typed. @returns false for a key that changes nothing in it */
function addKey(typed: TypedEarly, key: string): boolean {
  const characters = [...typed.text];
  if (key === 'Enter') typed.isEntered = true;
  else if (key === 'Backspace') typed.text = characters.slice(0, -1).join('');
  else if ([...key].length === 1) typed.text += key;
  else return false;
  return true;
}
