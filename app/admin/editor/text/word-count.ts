import { readingMinutes } from '#app/posts/markdown/reading-time.ts';
import { countWords } from '#app/posts/markdown/text.ts';

/** Estimates the length of a Markdown text, without link targets and the languages of code blocks. */
export function measureText(markdown: string): { words: number; characters: number; minutes: number } {
  const text = markdown.replace(/\]\([^)\s]*[^)]*\)/g, ']').replace(/^\s*(```|~~~).*$/gm, '');
  const count = countWords(text);
  const characters = text.replace(/\s+/g, ' ').trim().length;
  return {
    words: count,
    characters,
    minutes: count === 0 ? 0 : readingMinutes(count),
  };
}
