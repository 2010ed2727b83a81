import { keysOf } from '#app/platform/narrow.ts';

/** The colours of one scheme. `picturePaper` is the background of pictures without one. */
export interface Scheme {
  paper: string;
  surface: string;
  ink: string;
  inkSoft: string;
  rule: string;
  mark: string;
  picturePaper: string;
}

interface Palette {
  label: string;
  light: Scheme;
  dark: Scheme;
}

/** Every palette on offer, by the value that the settings store. `inkSoft` is legible (AA) on paper and surface. */
export const palettes = {
  warm: {
    label: 'Warm paper',
    light: scheme('#fcfbf8', '#f3f1eb', '#262320', '#645e57', '#e2ddd3', '#fbe7a8'),
    dark: scheme('#1d1813', '#2a231c', '#ece3d6', '#b5a898', '#43392e', '#5f4c14', '#fcfbf8'),
  },
  snow: {
    label: 'Snow',
    light: scheme('#ffffff', '#f4f5f7', '#14161a', '#59606c', '#e2e5ea', '#fff0b3'),
    dark: scheme('#0b0c10', '#191c23', '#eceef3', '#a6adba', '#2e333d', '#574a12', '#ffffff'),
  },
  newsprint: {
    label: 'Newsprint',
    light: scheme('#f6f2e8', '#ece6d7', '#1c1a15', '#5c564a', '#cfc6b1', '#f5dd8a'),
    dark: scheme('#2e2920', '#393327', '#f0e7d5', '#c0b49e', '#564d3c', '#6b5514', '#f6f2e8'),
  },
  sage: {
    label: 'Sage',
    light: scheme('#f7f8f3', '#e9ede2', '#1d251f', '#546057', '#d4dccd', '#f3e6a0'),
    dark: scheme('#0f2018', '#182c22', '#e0ece2', '#a6bbab', '#2d4537', '#4c4a17', '#f7f8f3'),
  },
  rose: {
    label: 'Rose',
    light: scheme('#fdf8f6', '#f6ebe7', '#2a1f22', '#6b5960', '#ead9d5', '#fbe2b0'),
    dark: scheme('#24141c', '#311d27', '#f2e2e6', '#bfa5ae', '#4a303b', '#5a4517', '#fdf8f6'),
  },
  slate: {
    label: 'Slate',
    light: scheme('#f5f7fa', '#e8ecf2', '#17202b', '#536071', '#d3dae4', '#f6e7a5'),
    dark: scheme('#0d1724', '#172436', '#dbe5f0', '#9aabbf', '#2b3b51', '#504816', '#f5f7fa'),
  },
  letter: {
    label: 'Letter paper',
    light: scheme('#fdfbf3', '#f3efe2', '#1d2b4f', '#56607d', '#ddd7c5', '#f7e6a4'),
    dark: scheme('#16203a', '#1f2b4a', '#f0ead9', '#b5b9c9', '#35436b', '#5a4d1c', '#fdfbf3'),
  },
} as const satisfies Record<string, Palette>;

export type PaletteName = keyof typeof palettes;
export const paletteNames = keysOf(palettes);

/** The custom properties of a palette's scheme. */
export function schemeProperties(colors: Scheme, accent: string): string {
  const { paper, surface, ink, inkSoft, rule, mark, picturePaper } = colors;
  return [
    `--paper:${paper};--surface:${surface};--ink:${ink};--ink-soft:${inkSoft};--rule:${rule}`,
    `--mark:${mark};--picture-paper:${picturePaper};--accent:${accent}`,
  ].join(';');
}

function scheme(
  paper: string,
  surface: string,
  ink: string,
  inkSoft: string,
  rule: string,
  mark: string,
  picturePaper = 'transparent',
): Scheme {
  return { paper, surface, ink, inkSoft, rule, mark, picturePaper };
}

/** WCAG AA for text, with a little to spare for tinted surfaces. */
const CONTRAST = 5;

/** An accent colour `#rrggbb` moved towards black or white until it is readable on a background `#rrggbb`. */
export function legibleOn(paper: string, accent: string): string {
  const towards = luminance(paper) > 0.2 ? '#000000' : '#ffffff';
  for (let step = 0; step < 20; step += 1) {
    const mixed = mix(accent, towards, step / 20);
    if (contrast(mixed, paper) >= CONTRAST) return mixed;
  }
  return towards;
}

/** Contrast of two colours `#rrggbb` after WCAG 2: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

function mix(from: string, to: string, share: number): string {
  const channels = channelsOf(from).map((value, index) => value + (channelsOf(to)[index]! - value) * share);
  return `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
}
