/** How many letters are compared: enough to tell the blocks of a text apart. */
const COMPARED = 24;

/** The first letters and digits that a reader sees. They are the same in the Markdown and on the rendered page. */
export function firstLetters(words: string): string {
  return words
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, COMPARED)
    .toLowerCase();
}
