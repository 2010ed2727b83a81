import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type SelectionRange } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { dispatchInput } from './base/dispatch-input.ts';
import { endMarks } from './keep-marks.ts';

/** The indent and marker of a heading, quotation or list item at the beginning of a line. */
export const markers = /^(\s*)(?:#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/;

/**
 * Puts marks around each selection, or removes existing ones. A caret before a closing mark moves past the mark. Marks
 * end with their paragraph, so a selection of several lines gets them in each.
 */
export function wrap(view: EditorView, mark: string): void {
  const { state } = view;
  if (endMarks(view, mark)) return view.focus();
  const size = mark.length;
  const change = state.changeByRange((selected) => {
    const parts = selected.empty ? [] : wordsIn(state, selected);
    if (parts.length > 1) return wrapEach(state, parts, mark);
    const range = parts[0] ?? selected;
    const marked = markedAround(state, range, mark) ?? emptyMarks(state, range, mark);
    const closing = marked ? state.sliceDoc(marked.to, marked.to + size) : mark;
    const end = range.empty && marked?.from !== range.from ? moveAfterMark(state, range.from, closing) : null;
    if (end) return end;
    if (marked)
      return {
        changes: [
          { from: marked.from - size, to: marked.from },
          { from: marked.to, to: marked.to + size },
        ],
        range: shifted(range, -size),
      };
    const { from, to } = range.empty ? (state.wordAt(range.from) ?? range) : range;
    const insert = mark === '_' && isWithinWord(state, from, to) ? '*' : mark;
    return {
      changes: [
        { from, insert },
        { from: to, insert },
      ],
      range: shifted(range, size),
    };
  });
  dispatchInput(view, change);
}

/** The words of a selection, line by line, without spaces at their ends and markers such as those of lists. */
function wordsIn(state: EditorState, { from, to }: SelectionRange): SelectionRange[] {
  const parts: SelectionRange[] = [];
  for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
    const start = Math.max(from, line.from + (from > line.from ? 0 : markers.exec(line.text)![0].length));
    const words = state.sliceDoc(start, Math.min(to, line.to));
    const first = start + words.length - words.trimStart().length;
    if (words.trim() !== '') parts.push(EditorSelection.range(first, first + words.trim().length));
    if (line.to >= to) return parts;
  }
}

/** Puts marks around each part that has none. If all have them, removes them. */
function wrapEach(state: EditorState, parts: SelectionRange[], mark: string) {
  const size = mark.length;
  const marked = parts.map((part) => markedAround(state, withoutMarks(state, part, mark), mark));
  const isMarked = marked.every(Boolean);
  const changes = parts.flatMap((part, index): { from: number; to?: number; insert?: string }[] => {
    const inner = marked[index];
    if (!inner)
      return [
        { from: part.from, insert: mark },
        { from: part.to, insert: mark },
      ];
    if (!isMarked) return [];
    return [
      { from: inner.from - size, to: inner.from },
      { from: inner.to, to: inner.to + size },
    ];
  });
  const set = state.changes(changes);
  // With the marks, so that the next run finds them.
  const [anchor, head] = [set.mapPos(parts[0]!.from, -1), set.mapPos(parts.at(-1)!.to, 1)];
  return { changes: set, range: EditorSelection.range(anchor, head) };
}

/** The words between the marks of a part that begins and ends with them. */
function withoutMarks(state: EditorState, { from, to }: SelectionRange, mark: string): SelectionRange {
  const text = state.sliceDoc(from, to);
  const size =
    text.startsWith(mark) && text.endsWith(mark) && text.length > 2 * mark.length ? mark.length : 0;
  return EditorSelection.range(from + size, to - size);
}

/**
 * True where letters touch a range: a part of a word, or words of a script without spaces. Markdown reads `_` there as
 * a character of the word.
 */
function isWithinWord(state: EditorState, from: number, to: number): boolean {
  const before = state.sliceDoc(Math.max(0, from - 2), from);
  return /[\p{L}\p{N}\p{M}]$/u.test(before) || /^[\p{L}\p{N}\p{M}]/u.test(state.sliceDoc(to, to + 2));
}

const nodesOfMarks: Record<string, string> = {
  '**': 'StrongEmphasis',
  _: 'Emphasis',
  '~~': 'Strikethrough',
  '`': 'InlineCode',
};

/** The range between the marks around a selection; null if it has no marks of this kind around it. */
function markedAround(state: EditorState, { from, to }: SelectionRange, mark: string) {
  const name = nodesOfMarks[mark];
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(from, side); node; node = node.parent) {
      const inner = { from: node.from + mark.length, to: node.to - mark.length };
      if (node.name === name && inner.from <= from && to <= inner.to) return inner;
    }
  return null;
}

/** Moves the caret past the closing mark. Spaces before the mark move after it: a mark after a space closes nothing. */
function moveAfterMark(state: EditorState, at: number, mark: string) {
  const next = syntaxTree(state).resolveInner(at, 1);
  const isOpening = next.name.endsWith('Mark') && next.parent?.from === at;
  if (state.sliceDoc(at, at + mark.length) !== mark || isOpening) return null;
  const spaces = / *$/.exec(state.sliceDoc(state.doc.lineAt(at).from, at))![0];
  return {
    changes: [
      { from: at - spaces.length, to: at },
      { from: at + mark.length, insert: spaces },
    ],
    range: EditorSelection.cursor(at + mark.length),
  };
}

/** The range of a selection with marks directly around it, such as of a caret in new marks; null without them. */
function emptyMarks(state: EditorState, { from, to }: SelectionRange, mark: string) {
  const isBetween =
    state.sliceDoc(from - mark.length, from) === mark && state.sliceDoc(to, to + mark.length) === mark;
  return isBetween ? { from, to } : null;
}

function shifted({ anchor, head }: SelectionRange, by: number): SelectionRange {
  return EditorSelection.range(anchor + by, head + by);
}
