import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, themeStylesheet } from '#app/site/accent.ts';
import { readTheme, themePath } from '#app/site/theme.server.ts';

const tokens = readFileSync(new URL('../../../app/site/styles/tokens.css', import.meta.url), 'utf8');
const papers = [...tokens.matchAll(/--paper: (#[0-9a-f]{6})/g)].map(([, color]) => color!);

test('any colour becomes legible on both papers', () => {
  expect(papers).toHaveLength(2);
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (accent) => {
      const [light, dark] = [...themeStylesheet(accent).matchAll(/--accent:(#[0-9a-f]{6})/g)].map(
        ([, made]) => made!,
      );
      expect(contrast(light!, papers[0]!)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark!, papers[1]!)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a colour that is legible already stays', () => {
  expect(themeStylesheet('#b3471d')).toContain(':root{--accent:#b3471d}');
});

test('contrast is what WCAG says', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1);
});

test('a theme’s path leads to its stylesheet, and no other does', () => {
  const file = themePath('#b3471d').replace('/theme/', '');
  expect(readTheme(file)).toBe(themeStylesheet('#b3471d'));
  expect(readTheme(file.replace('b3471d', 'b3471e'))).toBeNull();
  expect(readTheme('b3471d-00000000.css')).toBeNull();
  expect(readTheme('')).toBeNull();
});
