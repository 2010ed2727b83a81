import { diffText, type DiffLine } from '#app/posts/revision-diff.ts';

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 2;

/** A line of a comparison, or the number of omitted unchanged lines. */
export type ShownLine = DiffLine | { hidden: number };

/** Compares two texts line by line. Leaves out long runs of unchanged lines, which the page does not show. */
export function shownLines(before: string, after: string): ShownLine[] {
  return foldUnchanged(diffText(before, after));
}

/** Replaces unchanged lines by their number, except those next to a change. */
export function foldUnchanged(lines: DiffLine[]): ShownLine[] {
  const isNearChange = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  const shown: ShownLine[] = [];
  let hidden = 0;
  lines.forEach((line, index) => {
    if (isNearChange[index]) {
      if (hidden > 0) shown.push({ hidden });
      hidden = 0;
      shown.push(line);
    } else hidden += 1;
  });
  if (hidden > 0) shown.push({ hidden });
  return shown;
}
