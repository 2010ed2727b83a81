import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { LiveEditor, LiveEditorOptions, TextMode } from './live/live-editor.ts';

type Wanted = Omit<LiveEditorOptions, 'textarea' | 'parent' | 'mode'>;

/** The live editor over the textarea; null until its code is loaded, or if loading fails. */
export function useLiveEditor(
  textarea: RefObject<HTMLTextAreaElement | null>,
  parent: RefObject<HTMLElement | null>,
  mode: TextMode,
  wanted: Wanted,
): LiveEditor | null {
  const [editor, setEditor] = useState<LiveEditor | null>(null);
  const start = useRef({ ...wanted, mode });
  start.current.onTool = wanted.onTool;
  useEffect(() => {
    let opened: LiveEditor | null = null;
    let over = false;
    import('./live/live-editor.ts').then(
      ({ openLiveEditor }) => {
        if (over) return;
        const { onTool: _latest, ...options } = start.current;
        const onTool: Wanted['onTool'] = (name) => start.current.onTool(name);
        opened = openLiveEditor({ ...options, onTool, textarea: textarea.current!, parent: parent.current! });
        // Rendered in the same frame, so that nothing on the page moves.
        flushSync(() => setEditor(opened));
      },
      // If loading fails, the textarea stays.
      () => undefined,
    );
    return () => {
      over = true;
      opened?.destroy();
      setEditor(null);
    };
  }, [textarea, parent]);
  useEffect(() => editor?.setMode(mode), [editor, mode]);
  useEffect(() => editor?.setLanguage(wanted.language), [editor, wanted.language]);
  return editor;
}
