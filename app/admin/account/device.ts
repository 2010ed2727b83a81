import type { Words } from '#app/ui/words.ts';

// The first match counts. Nearly every browser also names another one, so the other one must be later in the list.
const browsers: [string, RegExp][] = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
];

const systems: [string, RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** The browser and system of a `User-Agent` header in words, such as "Firefox on Linux". */
export function deviceOf(userAgent: string, t: Words): string {
  const named = (list: [string, RegExp][]) => list.find(([, mark]) => mark.test(userAgent))?.[0];
  const browser = named(browsers) ?? t('An unknown browser');
  const system = named(systems);
  return system ? t('{browser} on {system}', { browser, system }) : browser;
}
