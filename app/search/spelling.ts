import { distance } from 'fastest-levenshtein';

/** A shorter word is never corrected. */
export const SHORTEST_WITH_TYPO = 4;

/**
 * The number of typos that a word may have: one from 4 letters, two from 7, none in a word with digits (as Typesense
 * does).
 */
export function allowedTypos(word: string): number {
  if (/\p{N}/u.test(word)) return 0;
  const { length } = word;
  return length >= 7 ? 2 : length >= SHORTEST_WITH_TYPO ? 1 : 0;
}

/**
 * Edit distance in which two swapped neighbours count as one typo. Above `max` the number is not exact.
 */
export function typosBetween(typed: string, word: string, max: number): number {
  if (Math.abs(typed.length - word.length) > max) return max + 1;
  const plain = distance(typed, word);
  // A swap counts two in the plain distance, so only these distances can become at most `max`.
  if (plain < 2 || plain > 2 * max) return plain;
  let best = plain;
  for (let at = 0; at + 1 < typed.length; at += 1) {
    if (typed[at] === typed[at + 1]) continue;
    const swapped = typed.slice(0, at) + typed[at + 1]! + typed[at]! + typed.slice(at + 2);
    best = Math.min(best, distance(swapped, word) + 1);
  }
  return best;
}

/** The query that was searched: corrected words replace the typed ones, the rest stays. */
export function replaceWords(
  text: string,
  replacements: readonly { start: number; end: number; word: string }[],
): string {
  let result = '';
  let at = 0;
  for (const { start, end, word } of replacements) {
    result += text.slice(at, start) + word;
    at = end;
  }
  return result + text.slice(at);
}
