import { useEffect, useState, type RefObject } from 'react';
import type { LiveEditor } from '#app/admin/editor/live/live-editor.ts';
import { onTextChange, readText, firstLetters } from '#app/admin/editor/model/text-source.ts';
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

/** The most characters of a rendered block that are compared. */
const LOOKED_AT = 400;

/** How long the scroll events of the following side are ignored. */
const SETTLING_MS = 200;

/** A position in the text, and the pixel position in the preview that shows it. */
type Pair = readonly [position: number, top: number];

/** Scrolls text and preview together, so that both have the same paragraph at their upper edge. */
export function useSyncedScroll(
  editor: LiveEditor | null,
  pane: RefObject<HTMLElement | null>,
  { enabled, html }: { enabled: boolean; html: string },
): void {
  useEffect(() => {
    const preview = pane.current;
    if (!enabled || !editor || !preview) return;
    // The text scrolls with the page.
    const scroller = document.scrollingElement!;
    const ended = new AbortController();
    const { signal } = ended;
    // The following side sends scroll events too: one, or several while CodeMirror measures the heights of its lines.
    let followed: { element: Element; until: number } | undefined;
    const isFollowing = (element: Element) =>
      followed?.element === element && performance.now() < followed.until;
    const follow = (element: Element, act: () => void) => {
      followed = { element, until: performance.now() + SETTLING_MS };
      act();
    };
    let cached: { size: string; pairs: Pair[] } | undefined;
    const pairs = () => {
      const size = `${preview.scrollHeight} ${editor.scrollPosition.end()}`;
      if (cached?.size !== size) cached = { size, pairs: pairsOf(editor, preview) };
      return cached.pairs;
    };
    const followText = () => {
      if (isFollowing(scroller)) return;
      const top = endOf(scroller) ? preview.scrollHeight : between(pairs(), editor.scrollPosition.top(), 0);
      follow(preview, () => (preview.scrollTop = Math.round(top)));
    };
    const followPreview = () => {
      if (isFollowing(preview)) return;
      const position = between(pairs(), preview.scrollTop, 1);
      follow(scroller, () => {
        if (endOf(preview)) scroller.scrollTop = scroller.scrollHeight;
        else editor.scrollPosition.scrollTo(position);
      });
    };
    window.addEventListener('scroll', followText, { signal, passive: true });
    preview.addEventListener('scroll', followPreview, { signal, passive: true });
    followText();
    return () => ended.abort();
  }, [editor, pane, enabled, html]);
}

function endOf({ scrollTop, clientHeight, scrollHeight }: Element): boolean {
  return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
}

/** The positions of the blocks that both text and preview have, in order, with the beginning and the end. */
function pairsOf(editor: LiveEditor, preview: HTMLElement): Pair[] {
  const pairs: Pair[] = [[0, 0]];
  const start = preview.getBoundingClientRect().top - preview.scrollTop;
  const blocks = editor.scrollPosition.blocks();
  let next = 0;
  for (const element of preview.querySelector('.prose')?.children ?? []) {
    const letters = firstLetters((element.textContent ?? '').slice(0, LOOKED_AT));
    const blockIndex =
      letters === '' ? -1 : blocks.findIndex((block, index) => index >= next && block.letters === letters);
    if (blockIndex < 0) continue;
    pairs.push([blocks[blockIndex]!.at, element.getBoundingClientRect().top - start]);
    next = blockIndex + 1;
  }
  pairs.push([editor.scrollPosition.end(), preview.scrollHeight]);
  return pairs;
}

/** Interpolates between two pairs. @returns the position on the other side for a position on `side` */
function between(pairs: Pair[], value: number, side: 0 | 1): number {
  const other = side === 0 ? 1 : 0;
  const after = Math.max(
    1,
    pairs.findIndex((pair) => pair[side] > value),
  );
  const [from, to] = [pairs[after - 1]!, pairs[after]!];
  const share = (value - from[side]) / Math.max(1, to[side] - from[side]);
  return from[other] + Math.min(1, Math.max(0, share)) * (to[other] - from[other]);
}
