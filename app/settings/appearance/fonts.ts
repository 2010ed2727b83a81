import { keysOf } from '#app/platform/narrow.ts';
/** A typeface that a site can choose. A stack of system fonts loads nothing. */
export interface Font {
  label: string;
  kind: 'serif' | 'sans' | 'mono';
  /** The family's name in its bundled `@font-face` rules; absent for a stack of system fonts. */
  family?: string;
}

const stacks = {
  // Transitional serifs that operating systems include.
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, 'Noto Serif', Georgia, serif",
  sans: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Ubuntu, 'Helvetica Neue', sans-serif",
  mono: "ui-monospace, 'Cascadia Code', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
} as const;

/** Every typeface on offer, by the value that the settings store. */
export const fonts = {
  'system-serif': { label: 'System serif', kind: 'serif' },
  'system-sans': { label: 'System sans', kind: 'sans' },
  'source-serif-4': { label: 'Source Serif', kind: 'serif', family: 'Source Serif 4 Variable' },
  newsreader: { label: 'Newsreader', kind: 'serif', family: 'Newsreader Variable' },
  lora: { label: 'Lora', kind: 'serif', family: 'Lora Variable' },
  'playfair-display': { label: 'Playfair Display', kind: 'serif', family: 'Playfair Display Variable' },
  fraunces: { label: 'Fraunces', kind: 'serif', family: 'Fraunces Variable' },
  figtree: { label: 'Figtree', kind: 'sans', family: 'Figtree Variable' },
  'instrument-sans': { label: 'Instrument Sans', kind: 'sans', family: 'Instrument Sans Variable' },
  inter: { label: 'Inter', kind: 'sans', family: 'Inter Variable' },
  'source-sans-3': { label: 'Source Sans', kind: 'sans', family: 'Source Sans 3 Variable' },
  'bricolage-grotesque': {
    label: 'Bricolage Grotesque',
    kind: 'sans',
    family: 'Bricolage Grotesque Variable',
  },
  'space-grotesk': { label: 'Space Grotesk', kind: 'sans', family: 'Space Grotesk Variable' },
  'jetbrains-mono': { label: 'JetBrains Mono', kind: 'mono', family: 'JetBrains Mono Variable' },
} as const satisfies Record<string, Font>;

export type FontName = keyof typeof fonts;
export const fontNames = keysOf(fonts);

/** The CSS value of `font-family`: the bundled family, its fallback of the same metrics, the system's stack. */
export function fontFamily(name: FontName): string {
  const { kind, family }: Font = fonts[name];
  return family ? `'${family}', '${fallbackFamily(family)}', ${stacks[kind]}` : stacks[kind];
}

/**
 * The name of the local font that is scaled to a bundled family's metrics: nothing moves when the family has loaded.
 */
export function fallbackFamily(family: string): string {
  return `${family} Fallback`;
}
