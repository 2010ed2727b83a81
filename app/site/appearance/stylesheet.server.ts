import { sha256Of } from '#app/platform/files/sha256.server.ts';
import type { Appearance, ResolvedAppearance } from '#app/settings/appearance/appearance.ts';
import { fontFamily } from '#app/settings/appearance/fonts.ts';
import { palettes, schemeProperties, legibleOn } from '#app/settings/appearance/palettes.ts';
import { DEFAULT_THEME, lookOf, themes } from '#app/settings/appearance/themes.server.ts';
import { fontFaces } from './bundled-fonts.server.ts';

const styles = import.meta.glob<string>('./styles/*.css', {
  eager: true,
  query: '?inline',
  import: 'default',
});

const themeStyles = import.meta.glob<string>('../../settings/appearance/themes/*/theme.css', {
  eager: true,
  query: '?inline',
  import: 'default',
});

const scales: Record<ResolvedAppearance['text_scale'], string> = {
  small: '0.94',
  normal: '1',
  large: '1.08',
};

/**
 * The stylesheet of an appearance, which follows `site.css`: fonts, colours, the chosen shapes, the theme's own rules
 * and at the end the site's.
 */
export function appearanceStylesheet(appearance: Appearance): string {
  const look = lookOf(appearance);
  return [
    [...new Set([look.font_heading, look.font_body])].map(fontFaces).join(''),
    `@layer theme{${tokens(look)}@media screen{${shapes(look)}${themeCss(appearance)}}}`,
    appearance.custom_css,
  ]
    .filter(Boolean)
    .join('\n');
}

/** The rules of an appearance's theme; blank for one of choices alone. */
function themeCss({ preset }: Appearance): string {
  const name = themes.has(preset) ? preset : DEFAULT_THEME;
  return themeStyles[`../../settings/appearance/themes/${name}/theme.css`] ?? '';
}

/** A short hash of a stylesheet's bytes, for an address that can be cached forever. */
export function stylesheetHash(stylesheet: string): string {
  return sha256Of(stylesheet).slice(0, 12);
}

function tokens(look: ResolvedAppearance): string {
  const { light, dark } = palettes[look.palette];
  const schemeOf = (colors: typeof light | typeof dark) =>
    `:root{${schemeProperties(colors, legibleOn(colors.paper, look.accent_color))}}`;
  const families = `:root{--heading:${fontFamily(look.font_heading)};--serif:${fontFamily(look.font_body)};--sans:var(--serif);--scale:${scales[look.text_scale]}}`;
  return `${families}@media screen{${schemeOf(light)}}@media screen and (prefers-color-scheme:dark){${schemeOf(dark)}}`;
}

function shapes(look: ResolvedAppearance): string {
  const { header_style, header_place, list_style, post_style, footer_style, corner_style, rule_style } = look;
  return [
    `header-${header_style}`,
    `place-${header_place}`,
    `list-${list_style}`,
    `post-${post_style}`,
    `footer-${footer_style}`,
    `corners-${corner_style}`,
    `rules-${rule_style}`,
  ]
    .map((name) => styles[`./styles/${name}.css`] ?? '')
    .join('');
}

/** Path of an appearance's stylesheet. It contains the hash of the bytes, so it can be cached forever. */
export function themePath(appearance: Appearance): string {
  return `/theme/${stylesheetHash(appearanceStylesheet(appearance))}.css`;
}

/**
 * The stylesheet of a text in the backend that looks as on the site: typefaces, colours, scale and measure of the
 * appearance, as custom properties of the page (its paper) and of `.page-text`. Lengths in the text are in `em`,
 * because `rem` is the backend's.
 */
export function textStylesheet(appearance: Appearance): string {
  const look = lookOf(appearance);
  const css = themeCss(appearance);
  const { light, dark } = palettes[look.palette];
  const scheme = (colors: typeof light | typeof dark) => {
    const properties = schemeProperties(colors, legibleOn(colors.paper, look.accent_color));
    const paper = properties.split(';').filter((one) => /^--(?:paper|ink|ink-soft|rule):/.test(one));
    return `:root{${paper.join(';')}}.page-text{${properties}}`;
  };
  const shape = [
    ['--measure', /--measure:\s*([^;}]+)/],
    ['--title-size', /--text-title:\s*([^;}]+)/],
    ['--title-weight', /(?:^|[},]|:is\()\s*h1\b[^{}]*\{[^}]*font-weight:\s*([^;}]+)/],
    ['--title-weight', /\.article-header h1[^{}]*\{[^}]*font-weight:\s*([^;}]+)/],
    ['--leading', /\.prose\s*\{[^}]*line-height:\s*([^;}]+)/],
  ] as const;
  const ofTheme = shape.flatMap(([name, rule]) => {
    const value = rule
      .exec(css)?.[1]
      ?.trim()
      .replaceAll(/(?<=\d)rem\b/g, 'em');
    return value === undefined || value.includes('var(') ? [] : [`${name}:${value}`];
  });
  const text = [
    `--heading:${fontFamily(look.font_heading)}`,
    `--serif:${fontFamily(look.font_body)}`,
    `--scale:${scales[look.text_scale]}`,
    ...ofTheme,
  ];
  return [
    ...new Set([look.font_heading, look.font_body].map(fontFaces)),
    `.page-text{${text.join(';')}}${scheme(light)}@media (prefers-color-scheme:dark){${scheme(dark)}}`,
  ].join('');
}

/** Path of that stylesheet. It contains the hash of the bytes, so it can be cached forever. */
export function textStylesheetPath(appearance: Appearance): string {
  return `/theme/text-${stylesheetHash(textStylesheet(appearance))}.css`;
}
