import { diffArrays, diffLines } from 'diff';

/** A run of text that stayed, was added or was removed. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/**
 * A line of the newer text, or a removed one, split into words that stayed or changed. A block that is shown as a whole
 * is one part of several lines.
 */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  parts: DiffPart[];
}

/** A line of a comparison, or the number of omitted unchanged lines. */
export type ShownLine = DiffLine | { hidden: number };

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 2;
/** Texts that differ in more lines or words than this are shown as whole blocks: the search is quadratic. */
const MAX_EDITS = 500;
/** Limits of the comparison by words: this many lines of this many characters. */
const MAX_COMPARED_LINES = 300;
const MAX_COMPARED_LENGTH = 5_000;

/**
 * Compares two texts line by line. A removed line and the added line that replaces it are compared word by word. Texts
 * that differ in too many lines are shown as whole blocks. Takes long for large texts: requests call
 * `Workers.compareTexts`.
 * @param context unchanged lines that are shown next to a change
 */
export function compareTexts(before: string, after: string, context = CONTEXT): ShownLine[] {
  const { first, removed, added, last } = withoutEnds(before, after);
  const between = diffLines(removed, added, { maxEditLength: MAX_EDITS, ignoreNewlineAtEof: true });
  if (!between) return compareAsBlocks(before, after);
  const unchanged = (value: string) => ({ value, added: false, removed: false });
  const changes = [unchanged(first), ...between, unchanged(last)].filter(({ value }) => value !== '');
  const shown: ShownLine[] = [];
  let comparable = MAX_COMPARED_LINES;
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index]!;
    const next = changes[index + 1];
    const lines = linesOf(change.value);
    const kind = kindOf(change);
    if (change.removed && next?.added) {
      const added = linesOf(next.value);
      shown.push(...replacedLines(lines, added, comparable));
      comparable = Math.max(0, comparable - Math.min(lines.length, added.length));
      index += 1;
    } else if (kind === 'same') {
      const [first, last] = [index === 0 ? 0 : context, next ? context : 0];
      const hidden = Math.max(0, lines.length - first - last);
      const shownAfter = hidden > 0 ? lines.slice(0, first) : lines;
      const shownBefore = hidden > 0 ? lines.slice(first + hidden) : [];
      for (const text of shownAfter) shown.push(wholeLine('same', text));
      if (hidden > 0) shown.push({ hidden });
      for (const text of shownBefore) shown.push(wholeLine('same', text));
    } else {
      shown.push(...lines.map((text) => wholeLine(kind, text)));
    }
  }
  return shown;
}

/** The lines that two texts do not have in common at their beginning and end, as a removed and an added block. Fast. */
export function compareAsBlocks(before: string, after: string): ShownLine[] {
  const { first, removed, added, last } = withoutEnds(before, after);
  return [
    ...hiddenLines(first),
    ...(removed === '' ? [] : [wholeLine('removed', withoutLastEnd(removed))]),
    ...(added === '' ? [] : [wholeLine('added', withoutLastEnd(added))]),
    ...hiddenLines(last),
  ];
}

function withoutEnds(before: string, after: string) {
  const { start, end } = commonEnds(before, after);
  return {
    first: before.slice(0, start),
    removed: before.slice(start, before.length - end),
    added: after.slice(start, after.length - end),
    last: before.slice(before.length - end),
  };
}

/** The lengths of what two texts have in common at their beginning and end, in whole lines. */
export function commonEnds(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (before.length !== after.length || start < shorter) start = lineStart(before, start);
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  while (end > 0 && !(isLineStart(before, before.length - end) && isLineStart(after, after.length - end)))
    end -= 1;
  return { start, end };
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}

// Lines are paired in order; unpaired ones follow the pairs.
function replacedLines(removed: string[], added: string[], comparable: number): DiffLine[] {
  const pairs = Math.min(removed.length, added.length, comparable);
  const lines: DiffLine[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const parts = comparedWords(removed[index]!, added[index]!);
    if (parts) {
      lines.push({ kind: 'removed', parts: parts.filter(({ kind }) => kind !== 'added') });
      lines.push({ kind: 'added', parts: parts.filter(({ kind }) => kind !== 'removed') });
    } else {
      lines.push(wholeLine('removed', removed[index]!), wholeLine('added', added[index]!));
    }
  }
  lines.push(...removed.slice(pairs).map((text) => wholeLine('removed', text)));
  lines.push(...added.slice(pairs).map((text) => wholeLine('added', text)));
  return lines;
}

/** Null if a comparison by words would only confuse: the lines share nothing but spaces, or are too long. */
function comparedWords(before: string, after: string): DiffPart[] | null {
  if (before.length > MAX_COMPARED_LENGTH || after.length > MAX_COMPARED_LENGTH) return null;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS });
  const parts = changes?.map((change): DiffPart => ({ kind: kindOf(change), text: change.value.join('') }));
  return parts?.some(({ kind, text }) => kind === 'same' && text.trim() !== '') ? parts : null;
}

// Also finds words in scripts without spaces, and keeps every character.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words and what is between them. */
export function wordsOf(line: string): string[] {
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

function kindOf(change: { added: boolean; removed: boolean }): DiffPart['kind'] {
  if (change.added) return 'added';
  return change.removed ? 'removed' : 'same';
}

function wholeLine(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, parts: text === '' ? [] : [{ kind, text }] };
}

function hiddenLines(text: string): ShownLine[] {
  return text === '' ? [] : [{ hidden: linesOf(text).length }];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : withoutLastEnd(text).split('\n');
}

function withoutLastEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
