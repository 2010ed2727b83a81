import * as z from 'zod';
import { keysOf } from '#app/platform/narrow.ts';
import { text } from '#app/platform/text/schemas.ts';
import { styleChoices, type StyleOf } from '#app/settings/appearance/appearance.ts';
import { fonts, type FontName } from '#app/settings/appearance/fonts.ts';
import { palettes, type PaletteName } from '#app/settings/appearance/palettes.ts';
import { defineIn, oneOf } from '#app/settings/definition.ts';

const appearanceSetting = defineIn('appearance');

/** How the site looks. Blank follows the preset; the screen "Appearance" edits them as a draft first. */
export const appearanceSettings = {
  preset: appearanceSetting({
    label: 'Preset',
    control: 'choice',
    // The presets are folders of the site. An unknown one falls back to the default.
    schema: z
      .string()
      .trim()
      .regex(/^[a-z0-9-]{0,40}$/, 'Choose a preset.'),
  }),
  font_heading: choice<FontName>('Headings', labelsOf(fonts)),
  font_body: choice<FontName>('Text', labelsOf(fonts)),
  text_scale: choice<StyleOf<'text_scale'>>('Size', styleChoices.text_scale),
  palette: choice<PaletteName>('Colours', labelsOf(palettes)),
  header_style: choice<StyleOf<'header_style'>>('Header', styleChoices.header_style),
  header_place: choice<StyleOf<'header_place'>>('Header while scrolling', styleChoices.header_place),
  list_style: choice<StyleOf<'list_style'>>('Lists of posts', styleChoices.list_style),
  post_style: choice<StyleOf<'post_style'>>('Posts', styleChoices.post_style),
  footer_style: choice<StyleOf<'footer_style'>>('Footer', styleChoices.footer_style),
  corner_style: choice<StyleOf<'corner_style'>>('Corners', styleChoices.corner_style),
  rule_style: choice<StyleOf<'rule_style'>>('Lines', styleChoices.rule_style),
  custom_css: appearanceSetting({
    label: 'Your own CSS',
    help: 'Applied after all other styles. It can’t load anything from other sites.',
    control: 'text',
    schema: text(50_000, 'Your own CSS'),
  }),
  appearance_draft: appearanceSetting({
    label: 'Appearance draft',
    help: 'JSON of the changes that are not published yet.',
    control: 'text',
    schema: text(100_000, 'Draft'),
    hidden: true,
  }),
} as const;

function choice<Value extends string>(label: string, labels: Record<Value, string>) {
  const values = keysOf(labels);
  return appearanceSetting({
    label,
    control: 'choice',
    choices: values.map((value) => ({ value, label: labels[value] })),
    schema: oneOf(label, values),
  });
}

function labelsOf<Value extends string>(entries: Record<Value, { label: string }>): Record<Value, string> {
  const pairs = Object.entries<{ label: string }>(entries).map(([value, { label }]) => [value, label]);
  return Object.fromEntries(pairs) as Record<Value, string>;
}
