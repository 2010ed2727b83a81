import type { MarkdownIt } from 'markdown-it';

/** Letters of scripts that have no space between a word, its punctuation and what follows. */
const joined = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The code of `*`. */
export const STAR = 0x2a;
/** A quotation, bracket, code, formula, price, tag or picture begins. */
const opening = /^(?:[\p{Ps}\p{Pi}\p{Sc}"'`<]|!\[)/u;
/** Punctuation that opens nothing. */
const closing = /(?![\p{Ps}\p{Pi}])[\p{P}\p{S}]$/u;

/**
 * What `**` or `~~` may do beside these letters that CommonMark does not let it do.
 * @param before the two characters before the marks; `after`: those after them
 */
export function marksBesideJoined(before: string, after: string, { isStar }: { isStar: boolean }) {
  return {
    opens: isStar && opening.test(after) && joined.test([...before].at(-1) ?? ''),
    closes: closing.test(before) && joined.test([...after][0] ?? ''),
  };
}

/**
 * Lets `**` and `~~` end between Chinese, Japanese or Korean punctuation and letters, and `**` begin before an opening
 * mark: `**注意。**文字`. CommonMark wants a space there, which these scripts do not have, and shows the asterisks. One
 * asterisk is often a footnote sign, and tildes after a letter draw it out (`好的~~，`), so these stay as they are.
 */
export function joinedEmphasis(parser: MarkdownIt): void {
  const { State } = parser.inline;
  parser.inline.State = class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      if (!canSplitWord || found.length < 2) return found;
      const before = this.src.slice(Math.max(0, start - 2), start);
      const end = start + found.length;
      const after = this.src.slice(end, Math.min(end + 2, this.posMax));
      const isStar = this.src.charCodeAt(start) === STAR;
      const { opens, closes } = marksBesideJoined(before, after, { isStar });
      return { ...found, can_open: found.can_open || opens, can_close: found.can_close || closes };
    }
  };
}
