import { legibleOn, palettes, type Scheme } from '#app/settings/appearance/palettes.ts';
import { fontFamily, fonts } from '#app/settings/appearance/fonts.ts';
import { lookOf } from '#app/settings/appearance/themes.server.ts';
import type { Settings } from '#app/settings/catalogue.ts';

/** Colours of one scheme, `#rrggbb`; the accent is legible on paper and surface. */
export interface MailColors extends Scheme {
  accent: string;
}

/** What a mail takes from the site's appearance. No typeface is loaded: a request would tell who opened the mail. */
export interface MailLook {
  /** Values of `font-family`. */
  heading: string;
  body: string;
  /** What Outlook shows instead: it knows no second family. */
  outlook: string;
  light: MailColors;
  dark: MailColors;
}

export function mailLookOf(settings: Settings): MailLook {
  const look = lookOf(settings);
  const { light, dark } = palettes[look.palette];
  const colorsOf = (colors: typeof light | typeof dark) => ({
    ...colors,
    accent: legibleOn(colors.surface, look.accent_color),
  });
  const outlook = { serif: 'Georgia, serif', sans: 'Arial, sans-serif', mono: 'Consolas, monospace' };
  return {
    heading: fontFamily(look.font_heading),
    body: fontFamily(look.font_body),
    outlook: outlook[fonts[look.font_body].kind],
    light: colorsOf(light),
    dark: colorsOf(dark),
  };
}
