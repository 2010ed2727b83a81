// Runs of letters and digits; in scripts without spaces every character counts.
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

const PER_MINUTE = 230;

/** Estimates the length of a Markdown text, without link targets and the languages of code blocks. */
export function measureText(markdown: string): { words: number; characters: number; minutes: number } {
  const text = markdown.replace(/\]\([^)\s]*[^)]*\)/g, ']').replace(/^\s*(```|~~~).*$/gm, '');
  const count = text.match(words)?.length ?? 0;
  const characters = text.replace(/\s+/g, ' ').trim().length;
  return {
    words: count,
    characters,
    minutes: count === 0 ? 0 : Math.max(1, Math.round(count / PER_MINUTE)),
  };
}
