import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/platform/project.server.ts';
import {
  resolveAppearance,
  themeSchema,
  type Appearance,
  type ResolvedAppearance,
  type Theme,
} from './appearance.ts';

const folder = path.join(projectRoot, 'app/settings/appearance/themes');

export const DEFAULT_THEME = 'journal';

/**
 * Every theme by the name of its folder: a `theme.json` and, where colours and shapes are not enough, a `theme.css`,
 * which the site's pages alone use.
 */
export const themes: ReadonlyMap<string, Theme> = new Map(
  readdirSync(folder).map((name) => {
    const definition: unknown = JSON.parse(readFileSync(path.join(folder, name, 'theme.json'), 'utf8'));
    return [name, themeSchema.parse(definition)];
  }),
);

/** The choices of a site, with its theme's for those that are blank; the default theme's if it names none. */
export function lookOf(appearance: Appearance): ResolvedAppearance {
  return resolveAppearance(appearance, themes.get(appearance.preset) ?? themes.get(DEFAULT_THEME)!);
}
