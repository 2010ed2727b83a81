import type { Appearance } from '#app/settings/appearance/appearance.ts';
import { fontFamily } from '#app/settings/appearance/fonts.ts';
import { palettes, schemeProperties } from '#app/settings/appearance/palettes.ts';
import { legibleOn } from '#app/settings/appearance/accent.ts';
import { lookOf } from '#app/settings/appearance/themes.server.ts';
import { fontFaces } from './bundled-fonts.server.ts';
import { scales, stylesheetHash, themeCss } from './stylesheet.server.ts';

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
