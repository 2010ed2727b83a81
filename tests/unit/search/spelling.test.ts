import { describe, expect, it } from 'vitest';
import { allowedTypos, replaceWords, typosBetween } from '#app/search/words.ts';

describe('the spelling of a query', () => {
  it.each([
    ['sea', 0],
    ['seas', 1],
    ['harbor', 1],
    ['harbour', 2],
    ['v2024release', 0],
    ['२०२४वर्ष', 0],
  ])('%s may have %i typos', (word, typos) => {
    expect(allowedTypos(word)).toBe(typos);
  });

  it.each([
    ['word', 'word', 1, 0],
    ['word', 'ward', 1, 1],
    ['word', 'words', 1, 1],
    ['word', 'wrod', 1, 1],
    ['harbour', 'harobur', 2, 1],
    ['harbour', 'harbo', 2, 2],
    ['harbour', 'ahrbou', 2, 2],
  ])('from %s to %s there are, of at most %i, %i typos', (typed, word, max, typos) => {
    expect(typosBetween(typed, word, max)).toBe(typos);
  });

  it.each([
    ['word', 'wo', 1],
    ['word', 'wards', 1],
    ['word', 'drow', 1],
    ['harbour', 'harb', 2],
  ])('from %s to %s there are too many', (typed, word, max) => {
    expect(typosBetween(typed, word, max)).toBeGreaterThan(max);
  });

  it('keeps what stands around corrected words', () => {
    const words = [
      { start: 1, end: 5, word: 'harbour' },
      { start: 7, end: 10, word: 'sea' },
    ];
    expect(replaceWords('“harb” see?', words)).toBe('“harbour” sea?');
    expect(replaceWords('as it is', [])).toBe('as it is');
  });
});
