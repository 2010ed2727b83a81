import * as z from 'zod';
import { keysOf } from '#app/platform/narrow.ts';
import { fontNames } from './fonts.ts';
import { paletteNames } from './palettes.ts';

/** The choices about a page's shape, with the words for each. */
export const styleChoices = {
  text_scale: { small: 'Small', normal: 'Normal', large: 'Large' },
  header_style: {
    left: 'Title on the left',
    centred: 'Centred title',
    cover: 'Cover band',
    side: 'Column beside the page',
  },
  header_place: { top: 'Scrolls with the page', sticky: 'Stays in sight' },
  list_style: {
    lead: 'Lead story, then a list',
    cards: 'Cards',
    list: 'List with excerpts',
    compact: 'Compact: titles only',
    archive: 'Archive: one line a post',
    front: 'Front page in columns',
    magazine: 'Magazine: large pictures',
    letters: 'Letters: text only',
  },
  post_style: {
    above: 'Cover above the text',
    wide: 'Cover across the page',
    full: 'Cover fills the window',
    split: 'Title beside the cover',
    none: 'No cover',
  },
  corner_style: { sharp: 'Sharp', soft: 'Slightly rounded', round: 'Rounded' },
  rule_style: { fine: 'Fine', strong: 'Strong' },
  footer_style: { line: 'A line', large: 'Large: title, description, and menus in columns' },
} as const;

export type StyleOf<Choice extends keyof typeof styleChoices> = keyof (typeof styleChoices)[Choice];

/** An appearance in which every option has a value. */
const resolvedAppearanceSchema = z.object({
  font_heading: z.enum(fontNames),
  font_body: z.enum(fontNames),
  text_scale: oneOf(styleChoices.text_scale),
  palette: z.enum(paletteNames),
  accent_color: z.string().regex(/^#[0-9a-f]{6}$/),
  header_style: oneOf(styleChoices.header_style),
  header_place: oneOf(styleChoices.header_place).default('top'),
  list_style: oneOf(styleChoices.list_style),
  post_style: oneOf(styleChoices.post_style),
  corner_style: oneOf(styleChoices.corner_style).default('soft'),
  rule_style: oneOf(styleChoices.rule_style).default('fine'),
  footer_style: oneOf(styleChoices.footer_style).default('line'),
});

export type ResolvedAppearance = z.output<typeof resolvedAppearanceSchema>;

/** The content of a theme's `theme.json`: its name, and the choices for a site that makes none. */
export const themeSchema = z.object({
  label: z.string(),
  description: z.string(),
  look: resolvedAppearanceSchema,
});

export type Theme = z.output<typeof themeSchema>;

/** The choices of a site; `''` follows the theme. */
export type Appearance = { [Key in keyof ResolvedAppearance]: ResolvedAppearance[Key] | '' } & {
  preset: string;
  custom_css: string;
};

/** The keys of an appearance, in the order of its form. Settings have the same names. */
export const appearanceKeys = [
  'preset',
  'font_heading',
  'font_body',
  'text_scale',
  'palette',
  'accent_color',
  'header_style',
  'header_place',
  'list_style',
  'post_style',
  'footer_style',
  'corner_style',
  'rule_style',
  'custom_css',
] as const satisfies readonly (keyof Appearance)[];

/** The site's own options; the theme's for those that the site leaves blank. */
export function resolveAppearance(appearance: Appearance, theme: Theme): ResolvedAppearance {
  const own = Object.entries(appearance).filter(([key, value]) => value !== '' && key in theme.look);
  return { ...theme.look, ...(Object.fromEntries(own) as Partial<ResolvedAppearance>) };
}

function oneOf<Value extends string>(labels: Record<Value, string>) {
  return z.enum(keysOf(labels));
}
