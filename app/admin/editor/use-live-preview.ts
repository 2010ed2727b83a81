import { useEffect, useState, type RefObject } from 'react';
import { onTextChange, readText } from './text-source.ts';

const PAUSE_MS = 350;

/** The text as readers will see it, rendered by the server a moment after each pause in typing. */
export function useLivePreview(
  textarea: RefObject<HTMLTextAreaElement | null>,
  url: string,
  { enabled }: { enabled: boolean },
): { html: string; failed: boolean } {
  const [preview, setPreview] = useState({ html: '', failed: false });
  useEffect(() => {
    const field = textarea.current;
    if (!enabled || !field) return;
    const ended = new AbortController();
    let running: AbortController | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const render = async () => {
      running?.abort();
      running = new AbortController();
      const { signal } = running;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ body: readText(field), language: languageOf(field) }),
          signal,
        });
        const { data } = (await response.json()) as { data: { html: string } | null };
        if (data) setPreview({ html: data.html, failed: false });
        else setPreview((last) => ({ ...last, failed: true }));
      } catch {
        if (!signal.aborted) setPreview((last) => ({ ...last, failed: true }));
      }
    };
    const renderLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), PAUSE_MS);
    };
    onTextChange(field, renderLater, ended.signal);
    void render();
    return () => {
      clearTimeout(timer);
      running?.abort();
      ended.abort();
    };
  }, [textarea, url, enabled]);
  return preview;
}

/** The language that the form has for the post; blank: the site's. */
function languageOf({ form }: HTMLTextAreaElement): string {
  const field = form?.elements.namedItem('language') as HTMLInputElement | null | undefined;
  return field?.value ?? '';
}
