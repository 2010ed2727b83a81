import { createFontStack } from '@capsizecss/core';
import bricolage from '@fontsource-variable/bricolage-grotesque/wght.css?inline';
import figtreeItalic from '@fontsource-variable/figtree/wght-italic.css?inline';
import figtree from '@fontsource-variable/figtree/wght.css?inline';
import frauncesItalic from '@fontsource-variable/fraunces/wght-italic.css?inline';
import fraunces from '@fontsource-variable/fraunces/wght.css?inline';
import instrumentSansItalic from '@fontsource-variable/instrument-sans/wght-italic.css?inline';
import instrumentSans from '@fontsource-variable/instrument-sans/wght.css?inline';
import interItalic from '@fontsource-variable/inter/wght-italic.css?inline';
import inter from '@fontsource-variable/inter/wght.css?inline';
import jetBrainsMono from '@fontsource-variable/jetbrains-mono/wght.css?inline';
import lora from '@fontsource-variable/lora/wght.css?inline';
import newsreaderItalic from '@fontsource-variable/newsreader/wght-italic.css?inline';
import newsreader from '@fontsource-variable/newsreader/wght.css?inline';
import playfairItalic from '@fontsource-variable/playfair-display/wght-italic.css?inline';
import playfair from '@fontsource-variable/playfair-display/wght.css?inline';
import sourceSansItalic from '@fontsource-variable/source-sans-3/wght-italic.css?inline';
import sourceSans from '@fontsource-variable/source-sans-3/wght.css?inline';
import sourceSerif from '@fontsource-variable/source-serif-4/wght.css?inline';
import spaceGrotesk from '@fontsource-variable/space-grotesk/wght.css?inline';
import loraItalic from '@fontsource/lora/400-italic.css?inline';
import sourceSerifItalic from '@fontsource/source-serif-4/400-italic.css?inline';
import { fallbackFamily, fonts, type Font, type FontName } from '#app/settings/appearance/fonts.ts';

type Metrics = Parameters<typeof createFontStack>[0][number];

/** Of the fonts that are used, from `@capsizecss/metrics` 4.3.0, which has those of every Google font: 169 MB. */
const metrics = (
  familyName: string,
  ascent: number,
  descent: number,
  lineGap: number,
  unitsPerEm: number,
  xWidthAvg: number,
): Metrics => ({ familyName, ascent, descent, lineGap, unitsPerEm, xWidthAvg });

/** The `@font-face` rules of the families (a file for each range of characters) and their metrics. */
const bundled: Partial<Record<FontName, { faces: string; metrics: Metrics }>> = {
  'source-serif-4': {
    faces: sourceSerif + oneWeight(sourceSerifItalic),
    metrics: metrics('Source Serif 4', 1036, -335, 0, 1000, 479),
  },
  newsreader: {
    faces: newsreader + newsreaderItalic,
    metrics: metrics('Newsreader', 1470, -530, 0, 2000, 857),
  },
  lora: { faces: lora + oneWeight(loraItalic), metrics: metrics('Lora', 1006, -274, 0, 1000, 468) },
  'playfair-display': {
    faces: playfair + playfairItalic,
    metrics: metrics('Playfair Display', 1082, -251, 0, 1000, 452),
  },
  fraunces: { faces: fraunces + frauncesItalic, metrics: metrics('Fraunces', 1956, -510, 0, 2000, 938) },
  figtree: { faces: figtree + figtreeItalic, metrics: metrics('Figtree', 950, -250, 0, 1000, 449) },
  'instrument-sans': {
    faces: instrumentSans + instrumentSansItalic,
    metrics: metrics('Instrument Sans', 970, -250, 0, 1000, 458),
  },
  inter: { faces: inter + interItalic, metrics: metrics('Inter', 1984, -494, 0, 2048, 978) },
  'source-sans-3': {
    faces: sourceSans + sourceSansItalic,
    metrics: metrics('Source Sans 3', 1024, -400, 0, 1000, 418),
  },
  'bricolage-grotesque': {
    faces: bricolage,
    metrics: metrics('Bricolage Grotesque', 930, -270, 0, 1000, 470),
  },
  'space-grotesk': { faces: spaceGrotesk, metrics: metrics('Space Grotesk', 984, -292, 0, 1000, 489) },
  'jetbrains-mono': { faces: jetBrainsMono, metrics: metrics('JetBrains Mono', 1020, -300, 0, 1000, 600) },
};

const local = {
  serif: metrics('Times New Roman', 1825, -443, 87, 2048, 832),
  sans: metrics('Arial', 1854, -434, 67, 2048, 913),
  mono: metrics('Courier New', 1705, -615, 0, 2048, 1229),
} as const;

/** Local fonts of one width by their full and PostScript names: regular, bold, italic. Linux has Liberation. */
const localNames: Record<Font['kind'], readonly [string[], string[], string[]]> = {
  serif: [
    ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif', 'LiberationSerif'],
    ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold', 'LiberationSerif-Bold'],
    [
      'Times New Roman Italic',
      'TimesNewRomanPS-ItalicMT',
      'Liberation Serif Italic',
      'LiberationSerif-Italic',
    ],
  ],
  sans: [
    ['Arial', 'ArialMT', 'Liberation Sans', 'LiberationSans'],
    ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'LiberationSans-Bold'],
    ['Arial Italic', 'Arial-ItalicMT', 'Liberation Sans Italic', 'LiberationSans-Italic'],
  ],
  mono: [
    ['Courier New', 'CourierNewPSMT', 'Liberation Mono', 'LiberationMono'],
    ['Courier New Bold', 'CourierNewPS-BoldMT', 'Liberation Mono Bold', 'LiberationMono-Bold'],
    ['Courier New Italic', 'CourierNewPS-ItalicMT', 'Liberation Mono Italic', 'LiberationMono-Italic'],
  ],
};
/** How wide a line of English is against the local font, in percent: plain, bold, italic (measured in Chromium). */
const widths: Partial<Record<FontName, readonly [number, number, number]>> = {
  'source-serif-4': [118.2, 114.2, 108.3],
  newsreader: [104.7, 105.7, 97.6],
  lora: [116.4, 111.8, 112],
  'playfair-display': [111, 106.3, 105.3],
  fraunces: [115.7, 115.6, 108.6],
  figtree: [101.3, 96.8, 102.9],
  'instrument-sans': [102.1, 98.6, 102],
  inter: [107.2, 102.2, 107.8],
  'source-sans-3': [93.9, 92.3, 91.8],
  'bricolage-grotesque': [106.1, 102.4, 106.1],
  'space-grotesk': [110.5, 102.7, 110.4],
  'jetbrains-mono': [100, 100, 100],
};
const faces = ['font-weight: 100 550', 'font-weight: 551 900', 'font-weight: 100 900; font-style: italic'];

/**
 * The rules of an italic of one weight, half as large as one of all weights, for the family that has the others: a page
 * with a word in italics stays below 90 KB. Browsers draw its bold.
 */
function oneWeight(rules: string): string {
  return rules
    .replace(/(font-family:\s*)["']?(Lora|Source Serif 4)["']?/g, "$1'$2 Variable'")
    .replace(/,\s*url\([^)]*\.woff["']?\)\s*format\(["']?woff["']?\)/g, '');
}

/** The rules that a typeface needs: its files, and a local font scaled to the same metrics. `''` for a system stack. */
export function fontFaces(name: FontName): string {
  const files = bundled[name];
  const { family, kind }: Font = fonts[name];
  if (!files || !family) return '';
  const { fontFaces: fallback } = createFontStack([files.metrics, local[kind]]);
  const named = fallback.replace(/font-family: [^;]+;/, `font-family: '${fallbackFamily(family)}';`);
  // Each face has its own width: with the plain one's width, the lines of bold text would break elsewhere.
  const fallbacks = localNames[kind].map((names, index) =>
    withWidth(named, widths[name]?.[index]).replace(
      /src: [^;]+;/,
      `src: ${names.map((name) => `local('${name}')`).join(', ')}; ${faces[index]};`,
    ),
  );
  return `${files.faces}\n${fallbacks.join('\n')}\n`;
}

/** Path of the file that most pages of Latin script need; null for a system stack. */
export function mainFontFile(name: FontName): string | null {
  return /url\(["']?([^"')]*-latin-wght-normal[^"')]*)/.exec(bundled[name]?.faces ?? '')?.[1] ?? null;
}

/** A fallback's rule for another width, to which its heights are relative. */
function withWidth(rule: string, percent: number | undefined): string {
  const before = Number(/size-adjust: ([\d.]+)%/.exec(rule)?.[1] ?? 100);
  if (percent === undefined) return rule;
  return rule
    .replace(/size-adjust: [^;]+;/, '')
    .replace(
      /((?:ascent|descent|line-gap)-override: )([\d.]+)%/g,
      (_, name: string, value: string) => `${name}${((Number(value) * before) / percent).toFixed(4)}%`,
    )
    .replace(/src:/, `size-adjust: ${percent}%; src:`);
}
