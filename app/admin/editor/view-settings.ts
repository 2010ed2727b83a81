import { useEffect, useState } from 'react';

/** How one person likes to write, remembered in this browser. */
export interface ViewSettings {
  mode: 'live' | 'source';
  previewing: boolean;
  focusing: boolean;
}

const initial: ViewSettings = { mode: 'live', previewing: false, focusing: false };

export function useViewSettings(userId: string) {
  const [settings, setSettings] = useState(initial);
  const key = `dateline:view:${userId}`;
  useEffect(() => setSettings(stored(key)), [key]);
  const change = (part: Partial<ViewSettings>) => {
    setSettings((before) => {
      const next = { ...before, ...part };
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Without storage the choice holds for this page.
      }
      return next;
    });
  };
  return [settings, change] as const;
}

function stored(key: string): ViewSettings {
  try {
    return { ...initial, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ViewSettings>) };
  } catch {
    return initial;
  }
}
