import { matchPath } from '@remix-run/react';
import type { MenuEntry } from './frame/screen.ts';
import { screens, type Screen } from './screens.server.ts';

/** The menu of a user who may open these screens. */
export function menuOf(allowed: readonly Screen[]): MenuEntry[][] {
  const entries = allowed.flatMap(({ id, title, pattern, menu }) =>
    menu ? [{ ...menu, id, title, path: menu.path ?? pattern }] : [],
  );
  return [1, 2, 3].map((group) =>
    entries
      .filter((entry) => entry.group === group)
      .map(({ id, title, icon, path }) => ({
        title,
        icon,
        segments: path.split('/').filter(Boolean),
        screens: [
          id,
          ...new Set(screens.flatMap((screen: Screen) => (screen.below === id ? [screen.id] : []))),
        ],
      })),
  );
}

/** The screen at a path below the admin path, with the parameters of its pattern. */
export function findScreen(
  path: string,
): { screen: Screen; params: Record<string, string | undefined> } | null {
  for (const screen of screens) {
    const match = matchPath({ path: `/${screen.pattern}`, end: true, caseSensitive: true }, `/${path}`);
    if (match) return { screen, params: match.params };
  }
  return null;
}
