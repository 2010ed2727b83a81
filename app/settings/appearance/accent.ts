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
