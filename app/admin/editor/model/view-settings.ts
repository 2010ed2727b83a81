import { useState } from 'react';

/** A person's editor settings, stored by this browser. */
export interface ViewSettings {
  mode: 'live' | 'source';
  previewing: boolean;
  focusing: boolean;
  /** The panel with the post's settings is open. */
  settings: boolean;
  /** The formatting bar is above the text. */
  tools: boolean;
}

const COOKIE = 'dateline_view';
const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * The stored settings, from a cookie: the server renders the page with them, so that nothing moves when scripts run.
 */
export function readViewSettings(cookies: string | null): ViewSettings {
  const [, value = ''] = /(?:^|;\s*)dateline_view=([a-z.]{1,40})/.exec(cookies ?? '') ?? [];
  const parts = new Set(value.split('.'));
  return {
    mode: parts.has('source') ? 'source' : 'live',
    previewing: parts.has('preview'),
    focusing: parts.has('focus'),
    settings: parts.has('settings'),
    tools: parts.has('tools'),
  };
}

/** @param path where the cookie is sent: the backend's address */
export function useViewSettings(initial: ViewSettings, path: string) {
  const [settings, setSettings] = useState(initial);
  const change = (part: Partial<ViewSettings>) => {
    const next = { ...settings, ...part };
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${format(next)}; Path=${path}; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
    setSettings(next);
  };
  return [settings, change] as const;
}

function format({ mode, previewing, focusing, settings, tools }: ViewSettings): string {
  const parts = [
    mode,
    previewing && 'preview',
    focusing && 'focus',
    settings && 'settings',
    tools && 'tools',
  ];
  return parts.filter(Boolean).join('.');
}
