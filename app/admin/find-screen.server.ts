import { matchPath } from '@remix-run/react';
import { screens, type Screen } from './screens.server.ts';

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
