/** Letters that tell blocks of a text apart. */
const COMPARED = 24;

/** The letters and digits at the beginning of what a reader sees: text and rendered page have them in common. */
export function firstLetters(words: string): string {
  return words
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, COMPARED)
    .toLowerCase();
}
