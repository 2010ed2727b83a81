/** The colours of one scheme. `picturePaper` is the background of pictures without one. */
interface Scheme {
  paper: string;
  surface: string;
  ink: string;
  inkSoft: string;
  rule: string;
  mark: string;
  picturePaper: string;
}

export interface Palette {
  label: string;
  light: Scheme;
  dark: Scheme;
}

/** Every palette on offer, by the value that the settings store. `inkSoft` is legible (AA) on paper and surface. */
export const palettes = {
  warm: {
    label: 'Warm paper',
    light: scheme('#fcfbf8', '#f3f1eb', '#262320', '#645e57', '#e2ddd3', '#fbe7a8'),
    dark: scheme('#181716', '#23211f', '#e3dfd8', '#a59f96', '#37342f', '#5a4a14', '#fcfbf8'),
  },
  snow: {
    label: 'Snow',
    light: scheme('#ffffff', '#f4f5f7', '#14161a', '#59606c', '#e2e5ea', '#fff0b3'),
    dark: scheme('#101216', '#1b1e24', '#e7e9ee', '#a2a9b6', '#2e333d', '#574a12', '#ffffff'),
  },
  newsprint: {
    label: 'Newsprint',
    light: scheme('#f6f2e8', '#ece6d7', '#1c1a15', '#5c564a', '#cfc6b1', '#f5dd8a'),
    dark: scheme('#1a1814', '#25221c', '#e8e2d3', '#aaa291', '#3d382e', '#5c4b13', '#f6f2e8'),
  },
  sage: {
    label: 'Sage',
    light: scheme('#f7f8f3', '#e9ede2', '#1d251f', '#546057', '#d4dccd', '#f3e6a0'),
    dark: scheme('#131814', '#1e2520', '#dfe6df', '#9dac9f', '#303a32', '#4c4a17', '#f7f8f3'),
  },
  rose: {
    label: 'Rose',
    light: scheme('#fdf8f6', '#f6ebe7', '#2a1f22', '#6b5960', '#ead9d5', '#fbe2b0'),
    dark: scheme('#1a1517', '#261f22', '#eadfe1', '#b2a1a6', '#3c3135', '#5a4517', '#fdf8f6'),
  },
  slate: {
    label: 'Slate',
    light: scheme('#f5f7fa', '#e8ecf2', '#17202b', '#536071', '#d3dae4', '#f6e7a5'),
    dark: scheme('#0f151d', '#1a222d', '#dde4ec', '#97a5b6', '#2a3544', '#504816', '#f5f7fa'),
  },
} as const satisfies Record<string, Palette>;

export type PaletteName = keyof typeof palettes;
export const paletteNames = Object.keys(palettes) as PaletteName[];

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
