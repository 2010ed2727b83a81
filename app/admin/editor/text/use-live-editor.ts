import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { LiveEditor, LiveEditorOptions, TextMode } from '#app/admin/editor/live/live-editor.ts';

type Options = Omit<LiveEditorOptions, 'textarea' | 'parent' | 'mode'>;

/** The live editor over the textarea; null until its code is loaded, or if loading fails. */
export function useLiveEditor(
  textarea: RefObject<HTMLTextAreaElement | null>,
  parent: RefObject<HTMLElement | null>,
  mode: TextMode,
  options: Options,
): LiveEditor | null {
  const [editor, setEditor] = useState<LiveEditor | null>(null);
  const start = useRef({ ...options, mode });
  start.current.onTool = options.onTool;
  useEffect(() => {
    let opened: LiveEditor | null = null;
    let isUnmounted = false;
    import('#app/admin/editor/live/live-editor.ts').then(
      ({ openLiveEditor }) => {
        if (isUnmounted) return;
        const { onTool: _latest, ...options } = start.current;
        const onTool: Options['onTool'] = (name) => start.current.onTool(name);
        opened = openLiveEditor({ ...options, onTool, textarea: textarea.current!, parent: parent.current! });
        // Rendered in the same frame, so that nothing on the page moves.
        flushSync(() => setEditor(opened));
      },
      // If loading fails, the textarea stays.
      () => undefined,
    );
    return () => {
      isUnmounted = true;
      opened?.destroy();
      setEditor(null);
    };
  }, [textarea, parent]);
  useEffect(() => editor?.setMode(mode), [editor, mode]);
  useEffect(() => editor?.setLanguage(options.language), [editor, options.language]);
  return editor;
}
