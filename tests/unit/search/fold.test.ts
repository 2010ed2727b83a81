import { expect, it } from 'vitest';
import { plainWords } from '#app/search/words.ts';

it.each([
  ['احمد', 'أحمد'],
  ['المدينه', 'المَدِينَةِ'],
  ['الي', 'إلى'],
  ['مرحبا', 'مـــرحبا'],
  ['كتاب', 'کتاب'],
  ['שלום', 'שָׁלוֹם'],
  ['cafe', 'Café'],
])('%s finds %s', (typed, written) => {
  expect(plainWords(typed)).toEqual(plainWords(written));
  expect(plainWords(written)).toHaveLength(1);
});

it('vowel signs of Hindi tell words apart', () => {
  expect(plainWords('कि')).not.toEqual(plainWords('के'));
});
