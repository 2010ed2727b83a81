import { useEffect, useRef, useState } from 'react';
import { useWords } from '#app/ui/words.ts';
import type { SaveState } from './saving/save-state.ts';

/**
 * What screen readers hear of saving: no autosave while somebody types, but a save that somebody asked for, and the
 * beginning and end of an outage. Other problems have an alert of their own.
 * @param data another object after a save that somebody asked for
 */
export function SaveAnnouncement({ state, data }: { state: SaveState; data: unknown }) {
  const t = useWords();
  const [said, setSaid] = useState('');
  const last = useRef({ words: '', data, isNew: false });
  useEffect(() => {
    const { current } = last;
    const isAskedFor = current.data !== data;
    current.data = data;
    if (state.kind === 'typing' || state.kind === 'saving') {
      current.isNew = false;
      return;
    }
    const words = heard(state);
    if (words !== current.words) {
      Object.assign(current, { words, isNew: true });
      setSaid(t(words));
    } else if (isAskedFor && !current.isNew && words) setSaid(sayAgain);
  }, [state, data, t]);
  return (
    <span className="sr-only" role="status">
      {said}
    </span>
  );
}

function heard(state: SaveState): string {
  if (state.kind === 'saved') return state.in === 'post' ? 'Saved' : 'Unsaved changes kept';
  if (state.kind === 'offline' && state.isKept && !state.pressed) return 'Offline, kept on this device';
  return '';
}

/** The same words as another text: a live region is read when it changes. */
function sayAgain(words: string): string {
  return words.endsWith('\u00a0') ? words.slice(0, -1) : `${words}\u00a0`;
}
