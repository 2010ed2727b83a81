import fc from 'fast-check';
import { expect, test } from 'vitest';
import { palettes, contrast, legibleOn } from '#app/settings/appearance/palettes.ts';

const schemes = Object.entries(palettes).flatMap(([name, { light, dark }]) => [
  [`${name}, light`, light] as const,
  [`${name}, dark`, dark] as const,
]);

test.each(schemes)('any accent becomes legible on %s', (_, { paper, surface }) => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (accent) => {
      const made = legibleOn(paper, accent);
      expect(contrast(made, paper)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(made, surface)).toBeGreaterThanOrEqual(4.3);
    }),
  );
});

test.each(schemes)('text is legible on %s', (_, { paper, surface, ink, inkSoft }) => {
  for (const ground of [paper, surface]) {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(7);
    expect(contrast(inkSoft, ground)).toBeGreaterThanOrEqual(4.5);
  }
});

test('a colour that is legible already stays', () => {
  expect(legibleOn('#fcfbf8', '#b3471d')).toBe('#b3471d');
});

test('contrast is what WCAG says', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1);
});
