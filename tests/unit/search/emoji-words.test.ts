import { expect, it } from 'vitest';
import { allowedTypos, plainWords, queryTerms, tokenizable, wordsOf } from '#app/search/words.ts';
import { highlight, snippet } from '#app/search/highlight.ts';

const wordOf = (emoji: string) => queryTerms(emoji).flatMap(({ words }) => words);

it.each(['🍕', '👩‍🍳', '👨‍👩‍👧‍👦', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️', '☔', '🏳️‍🌈', '⌚'])(
  '%s is one word of letters and digits',
  (emoji) => {
    expect(wordOf(emoji)).toEqual([expect.stringMatching(/^[a-z0-9]{4,64}$/)]);
    const text = `I love ${emoji}pizza${emoji}${emoji} a lot`;
    const [word] = wordOf(emoji);
    expect(plainWords(text).filter((each) => each === word)).toHaveLength(3);
    expect(tokenizable(text).split(' ')).toContain(word);
    expect(allowedTypos(word!)).toBe(0);
    const marked = highlight(text, { words: [word!], prefixes: [] }).filter((piece) => piece.marked);
    expect(marked.map((piece) => piece.text)).toEqual([emoji, emoji + emoji]);
    expect(wordsOf(text).map((each) => each.word)).toEqual(plainWords(text));
  },
);

it('colours of skin and forms of a picture do not count, other pictures do', () => {
  expect(wordOf('👍🏽')).toEqual(wordOf('👍'));
  expect(wordOf('👩🏾‍🍳')).toEqual(wordOf('👩‍🍳'));
  expect(wordOf('❤')).toEqual(wordOf('❤️'));
  const all = ['👩', '🍳', '👩‍🍳', '🍔', '🍕', '🇩🇪', '🇪🇩', '🇫🇷'].flatMap(wordOf);
  expect(new Set(all).size).toBe(8);
});

it('signs of texts are no words', () => {
  for (const text of ['Windows® 11', 'Windows™ 11', 'Windows → 11', 'Windows ↩︎ 11'])
    expect(wordOf(text)).toEqual(['windows', '11']);
  expect(wordOf('1️⃣')).toEqual(['1']);
});

it('a snippet keeps the pictures that people see whole', () => {
  const family = '👨‍👩‍👧‍👦';
  const matched = { words: wordOf('🍕'), prefixes: [] };
  const text = `${family.repeat(60)}🍕${family.repeat(60)}`;
  const pieces = snippet(text, matched).map((piece) => piece.text);
  expect(pieces.join('').replaceAll(family, '').replace('🍕', '')).toBe('…  …');
});
