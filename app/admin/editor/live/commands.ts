import { redo, undo } from '@codemirror/commands';
import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state';
import { syntaxTree } from '@codemirror/language';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { insertTable } from './insert-table.ts';
import { paragraphAround } from './paragraph.ts';
import { inlineMarks, type ToolName } from './tools.ts';

/** The beginning of a web address. A new link contains it as a selection, which typing or pasting replaces. */
const ADDRESS_BEGINS = 'https://';

type Run = (view: EditorView) => void;

/** What each tool does with the text. Tools that open a part of the page are not here. */
export const commands: Partial<Record<ToolName, Run>> = {
  bold: (view) => wrap(view, inlineMarks.bold!),
  italic: (view) => wrap(view, inlineMarks.italic!),
  strike: (view) => wrap(view, inlineMarks.strike!),
  code: (view) => wrap(view, inlineMarks.code!),
  link: insertLink,
  heading2: (view) => prefixLines(view, '## '),
  heading3: (view) => prefixLines(view, '### '),
  quote: (view) => prefixLines(view, '> '),
  list: (view) => prefixLines(view, `${bulletOf(view.state, 'list')} `),
  numbers: (view) => prefixLines(view, (line) => `${line + 1}. `),
  tasks: (view) => prefixLines(view, `${bulletOf(view.state, 'tasks')} [ ] `),
  codeblock: (view) => insertBlock(view, '```text\n', '\n```', [3, 7]),
  table: insertTable,
  divider: (view) => insertBlock(view, '---\n\n', ''),
  callout: (view) => insertBlock(view, '> [!NOTE]\n> ', ''),
  embed: (view) => insertBlock(view, ADDRESS_BEGINS, '', [0, ADDRESS_BEGINS.length]),
  footnote: insertFootnote,
  undo: (view) => void undo(view),
  redo: (view) => void redo(view),
};

/** Puts marks around each selection, or removes existing ones. A caret before a closing mark moves past the mark. */
function wrap(view: EditorView, mark: string): void {
  const { state } = view;
  const size = mark.length;
  const change = state.changeByRange((range) => {
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
  dispatch(view, change);
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

function insertLink(view: EditorView): void {
  const { state } = view;
  const change = state.changeByRange(({ from, to }) => {
    const text = state.sliceDoc(from, to);
    const insert = `[${text}](${ADDRESS_BEGINS})`;
    const at = text === '' ? from + 1 : from + text.length + 3;
    return {
      changes: { from, to, insert },
      range: EditorSelection.range(at, text === '' ? at : at + ADDRESS_BEGINS.length),
    };
  });
  dispatch(view, change);
}

const markers = /^(\s*)(?:#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/;

/** Puts a marker at the beginning of every selected line, instead of an old one. If all lines have it, removes it. */
function prefixLines(view: EditorView, marker: string | ((line: number) => string)): void {
  const { state } = view;
  const lines = chosenLines(state);
  const markerOf = (index: number) => (typeof marker === 'string' ? marker : marker(index));
  const hasAll = lines.every(({ text }, index) => text.trimStart().startsWith(markerOf(index)));
  const changes: ChangeSpec[] = lines.map(({ from, text }, index) => {
    const [whole, indent = ''] = markers.exec(text)!;
    return {
      from: from + indent.length,
      to: from + whole.length,
      insert: hasAll ? '' : markerOf(index),
    };
  });
  const set = state.changes(changes);
  // The caret stays after a marker that is inserted at its position.
  dispatch(view, { changes: set, selection: state.selection.map(set, 1) });
}

/**
 * The bullet of a new list. Below a list of the other kind another bullet: with the same one both would be one list.
 */
function bulletOf(state: EditorState, kind: 'list' | 'tasks'): string {
  const first = state.doc.lineAt(state.selection.main.from);
  if (first.number < 3 || state.doc.line(first.number - 1).text.trim() !== '') return '-';
  const [, bullet, box] = /^([-*+]) (\[[ xX]\] )?/.exec(lastItemAbove(state, first.number - 2)) ?? [];
  return bullet === '-' && (box !== undefined) !== (kind === 'tasks') ? '*' : '-';
}

/** The text of the nearest line at or above a line that is not indented: the first line of its outermost list item. */
function lastItemAbove(state: EditorState, number: number): string {
  let line = state.doc.line(number);
  while (/^\s/.test(line.text) && line.number > 1) line = state.doc.line(line.number - 1);
  return line.text;
}

function chosenLines(state: EditorState) {
  const { from, to } = state.selection.main;
  const lines = [];
  for (let number = state.doc.lineAt(from).number; number <= state.doc.lineAt(to).number; number += 1)
    lines.push(state.doc.line(number));
  return lines;
}

/**
 * Turns the selection into a separate block between `before` and `after`.
 * @param select the new selection in the block
 */
function insertBlock(view: EditorView, before: string, after: string, select?: [number, number]): void {
  const { state } = view;
  const { from, to } = state.selection.main;
  const chosen = state.sliceDoc(from, to);
  const { lead, tail } = paragraphAround(state, from, to);
  const start = from + lead.length;
  dispatch(view, {
    changes: { from, to, insert: `${lead}${before}${chosen}${after}${tail}` },
    selection: select
      ? { anchor: start + select[0], head: start + select[1] }
      : { anchor: start + before.length + chosen.length },
  });
}

/** Inserts a reference at the caret and its note at the end of the text, and moves the caret into the note. */
function insertFootnote(view: EditorView): void {
  const { state } = view;
  const text = state.sliceDoc();
  let number = 1;
  while (text.includes(`[^${number}]`)) number += 1;
  const { to } = state.selection.main;
  // A reference directly follows a word, so the space that the `/` menu needs is replaced.
  const from = /\S $/.test(state.sliceDoc(Math.max(0, to - 2), to)) ? to - 1 : to;
  const end = state.doc.length;
  const lineBreaks = text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const reference = `[^${number}]`;
  dispatch(view, {
    changes: [
      { from, to, insert: reference },
      { from: end, insert: `${lineBreaks}${reference}: ` },
    ],
    selection: { anchor: end - (to - from) + reference.length + lineBreaks.length + reference.length + 2 },
  });
}

function dispatch(view: EditorView, spec: TransactionSpec): void {
  view.dispatch(view.state.update(spec, { scrollIntoView: true, userEvent: 'input' }));
  view.focus();
}
