import type { MarkdownIt } from 'markdown-it';

/** Letters of scripts that have no space between a word, its punctuation and what follows. */
const joined = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Lets `**` and `~~` begin and end between Chinese, Japanese or Korean letters and punctuation: `**注意。**文字`. CommonMark
 * wants a space there, which these scripts do not have, and shows the asterisks.
 */
export function joinedEmphasis(parser: MarkdownIt): void {
  const { State } = parser.inline;
  parser.inline.State = class extends State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      if (!canSplitWord || (found.can_open && found.can_close)) return found;
      const before = this.src.slice(Math.max(0, start - 2), start);
      const end = start + found.length;
      const after = this.src.slice(end, Math.min(end + 2, this.posMax));
      const isAfterSpace = before === '' || /\s$/.test(before);
      const isBeforeSpace = after === '' || /^\s/.test(after);
      return {
        ...found,
        can_open: found.can_open || (!isBeforeSpace && joined.test([...before].at(-1) ?? '')),
        can_close: found.can_close || (!isAfterSpace && joined.test([...after][0] ?? '')),
      };
    }
  };
}
