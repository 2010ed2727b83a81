/** How many letters are compared: enough to tell the blocks of a text apart. */
const COMPARED = 24;

/** The first letters and digits of a text. They are the same for visible Markdown and for the rendered page. */
export function firstLetters(words: string): string {
  return words
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, COMPARED)
    .toLowerCase();
}
