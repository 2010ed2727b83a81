import { themeSchema, type Theme } from '#app/settings/appearance/appearance.ts';

const definitions = import.meta.glob<unknown>('./themes/*/theme.json', { eager: true, import: 'default' });
const stylesheets = import.meta.glob<string>('./themes/*/theme.css', {
  eager: true,
  query: '?inline',
  import: 'default',
});

export const DEFAULT_THEME = 'journal';

/**
 * Every theme by the name of its folder: a `theme.json` and, where colours and shapes are not enough, a `theme.css`.
 */
export const themes: ReadonlyMap<string, Theme & { css: string }> = new Map(
  Object.entries(definitions).map(([file, definition]) => {
    const css = stylesheets[file.replace(/\.json$/, '.css')] ?? '';
    return [file.split('/').at(-2)!, { ...themeSchema.parse(definition), css }];
  }),
);

/** A theme by its name; the default one for a blank or unknown name. */
export function themeNamed(name: string): Theme & { css: string } {
  return themes.get(name) ?? themes.get(DEFAULT_THEME)!;
}
