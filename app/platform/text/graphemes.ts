/**
 * The nearest place at or before an index where a text can be cut: between characters as people see them (grapheme
 * clusters). A family is one emoji, and a letter keeps its marks.
 */
export function graphemeStart(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text).containing(index)!.index;
}

/** The beginning of a text with at most `max` code points, cut between grapheme clusters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count === max) break;
    count += 1;
    end += character.length;
  }
  // Whether a cluster ends here depends on the next code point alone: a long rest is not read.
  const start = graphemeStart(text.slice(0, end + 2), end);
  // One cluster may be longer than all that is wanted, as of a letter with thousands of marks.
  return text.slice(0, start === 0 ? end : start);
}
