import { useEffect, useState, type RefObject } from 'react';
import { onTextChange, readText } from '#app/admin/editor/model/text-source.ts';
import { isUnreachable } from '#app/admin/editor/saving/requests.ts';

const PAUSE_MS = 350;

interface Preview {
  html: string;
  /** Why it is not up to date: the server can't be reached, or answers with an error. */
  failed: 'offline' | 'server' | null;
}

/** The text as readers will see it, rendered by the server a moment after each pause in typing. */
export function useLivePreview(
  textarea: RefObject<HTMLTextAreaElement | null>,
  url: string,
  { enabled }: { enabled: boolean },
): Preview {
  const [preview, setPreview] = useState<Preview>({ html: '', failed: null });
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
        const answer = (await response.json().catch(() => null)) as { data: { html: string } | null } | null;
        if (answer?.data) setPreview({ html: answer.data.html, failed: null });
        else if (!signal.aborted)
          setPreview((last) => ({ ...last, failed: isUnreachable(response) ? 'offline' : 'server' }));
      } catch {
        if (!signal.aborted) setPreview((last) => ({ ...last, failed: 'offline' }));
      }
    };
    const renderLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), PAUSE_MS);
    };
    onTextChange(field, renderLater, ended.signal);
    window.addEventListener('online', renderLater, { signal: ended.signal });
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
