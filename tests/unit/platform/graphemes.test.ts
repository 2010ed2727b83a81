import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from '#app/platform/text/graphemes.ts';
import { freeSlug, toSlug } from '#app/platform/text/slug.ts';
import { excerptOf, shorten } from '#app/posts/markdown/excerpt.ts';

const family = '👨‍👩‍👧‍👦';
const clusters = (text: string) =>
  Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  );

it('a text is cut between the characters that people see', () => {
  const unit = fc.constantFrom(family, '👍🏽', '🇩🇪', 'क्षि', 'e\u0301', 'a', ' ', '한', '\r\n', '🏴󠁧󠁢󠁥󠁮󠁧󠁿');
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1 }), fc.integer({ min: 10, max: 60 }), (units, max) => {
      const text = units.join('');
      const cut = cutText(text, max);
      expect([...cut].length).toBeLessThanOrEqual(max);
      expect(clusters(text).slice(0, clusters(cut).length).join('')).toBe(cut);
      const next = clusters(text)[clusters(cut).length] ?? '';
      if (cut !== text) expect([...(cut + next)].length).toBeGreaterThan(max);
    }),
  );
});

it('excerpts, descriptions and slugs keep families and vowel signs', () => {
  expect(excerptOf(`<p>${family.repeat(120)}</p>`)).toBe(`${family.repeat(31)}…`);
  expect(shorten(family.repeat(120), 160)).toBe(`${family.repeat(22)}…`);
  const slug = toSlug(`क${'क्षि'.repeat(70)}`);
  expect(slug).toBe(`क${'क्षि'.repeat(49)}`);
  expect(freeSlug(slug.slice(0, 197), () => false)).toBe(slug.slice(0, 197));
  expect(freeSlug(slug, (each) => each === slug)).toBe(`${slug}-2`);
});

it('one character of thousands of marks is cut, in time that grows with the limit alone', () => {
  expect(cutText(`a${'\u0301'.repeat(10_000)}`, 100)).toHaveLength(100);
  const long = `${'a\u0301'.repeat(200)}${'\u0301'.repeat(5_000_000)}`;
  const before = process.cpuUsage();
  cutText(long, 220);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(100);
});

it('a slug has no mark that nobody sees', () => {
  expect(toSlug('İstanbul günlüğü')).toBe('istanbul-günlüğü');
  expect(toSlug('I\u0307STANBUL, i\u0307stanbul, DİYARBAKIR')).toBe('istanbul-istanbul-diyarbakir');
  expect(toSlug('a\ufe0fb\u034fc\u{e0101}d\u180be \u3164 ❤\ufe0f')).toBe('abcde');
  // Marks that people see, and what the contract makes of other characters.
  expect(toSlug('Żółć ė ẏ می\u200cخواهم')).toBe('żółć-ė-ẏ-می-خواهم');
  expect(toSlug(`${'i'.repeat(50)}${'\u0307'.repeat(5_000)}`)).toBe('i'.repeat(50));
});
