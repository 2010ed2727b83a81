import { useEffect, type RefObject } from 'react';
import { firstLetters } from './first-letters.ts';
import type { LiveEditor } from './live/live-editor.ts';

/** Characters of a rendered block that are compared at most. */
const LOOKED_AT = 400;

/** How long the scrolling of one that follows lasts. */
const SETTLING_MS = 200;

/** A place in the text, and the pixel of the preview that shows it. */
type Pair = readonly [place: number, top: number];

/** Text and preview move together: the paragraph at the upper edge of one is at that of the other. */
export function useSyncedScroll(
  editor: LiveEditor | null,
  pane: RefObject<HTMLElement | null>,
  { enabled, html }: { enabled: boolean; html: string },
): void {
  useEffect(() => {
    const preview = pane.current;
    if (!enabled || !editor || !preview) return;
    const { scroller } = editor;
    const ended = new AbortController();
    const { signal } = ended;
    // What follows scrolls too, once or, while the text learns its heights, several times.
    let followed: { element: Element; until: number } | undefined;
    const isFollowing = (element: Element) =>
      followed?.element === element && performance.now() < followed.until;
    const follow = (element: Element, act: () => void) => {
      followed = { element, until: performance.now() + SETTLING_MS };
      act();
    };
    let known: { size: string; pairs: Pair[] } | undefined;
    const pairs = () => {
      const size = `${preview.scrollHeight} ${editor.places.end()}`;
      if (known?.size !== size) known = { size, pairs: pairsOf(editor, preview) };
      return known.pairs;
    };
    const followText = () => {
      if (isFollowing(scroller)) return;
      const top = endOf(scroller) ? preview.scrollHeight : between(pairs(), editor.places.top(), 0);
      follow(preview, () => (preview.scrollTop = Math.round(top)));
    };
    const followPreview = () => {
      if (isFollowing(preview)) return;
      const place = between(pairs(), preview.scrollTop, 1);
      follow(scroller, () => {
        if (endOf(preview)) scroller.scrollTop = scroller.scrollHeight;
        else editor.places.scrollTo(place);
      });
    };
    scroller.addEventListener('scroll', followText, { signal, passive: true });
    preview.addEventListener('scroll', followPreview, { signal, passive: true });
    followText();
    return () => ended.abort();
  }, [editor, pane, enabled, html]);
}

function endOf({ scrollTop, clientHeight, scrollHeight }: Element): boolean {
  return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
}

/** The blocks that text and preview both have, in their order, with both ends. */
function pairsOf(editor: LiveEditor, preview: HTMLElement): Pair[] {
  const pairs: Pair[] = [[0, 0]];
  const start = preview.getBoundingClientRect().top - preview.scrollTop;
  const blocks = editor.places.blocks();
  let next = 0;
  for (const element of preview.querySelector('.prose')?.children ?? []) {
    const letters = firstLetters((element.textContent ?? '').slice(0, LOOKED_AT));
    const found =
      letters === '' ? -1 : blocks.findIndex((one, index) => index >= next && one.letters === letters);
    if (found < 0) continue;
    pairs.push([blocks[found]!.at, element.getBoundingClientRect().top - start]);
    next = found + 1;
  }
  pairs.push([editor.places.end(), preview.scrollHeight]);
  return pairs;
}

/** The other half of a pair for a value between two of them. */
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
