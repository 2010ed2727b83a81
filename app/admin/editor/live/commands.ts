import { redo, undo } from '@codemirror/commands';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { codeAt } from '#app/admin/editor/live/base/code-keys.ts';
import { paragraphAround } from '#app/admin/editor/live/base/paragraph.ts';
import { dispatchInput, textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { inlineMarks, type ToolName } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { enterTableAt } from '#app/admin/editor/live/blocks/blocks.ts';
import { softBreaksIn } from '#app/admin/editor/live/blocks/inline-parts.ts';
import { markers, wrap } from './marks.ts';

/** The beginning of a web address. A new embed is it as a selection, which typing or pasting replaces. */
const ADDRESS_BEGINS = 'https://';

type Run = (view: EditorView) => void;

/** What each tool does with the text. Tools that open a part of the page are not here. */
export const commands: Partial<Record<ToolName, Run>> = {
  bold: (view) => wrap(view, inlineMarks.bold!),
  italic: (view) => wrap(view, inlineMarks.italic!),
  strike: (view) => wrap(view, inlineMarks.strike!),
  code: (view) => wrap(view, inlineMarks.code!),
  heading2: (view) => prefixLines(view, '## '),
  heading3: (view) => prefixLines(view, '### '),
  quote: (view) => prefixLines(view, '> '),
  list: (view) => prefixLines(view, `${bulletOf(view.state, 'list')} `),
  numbers: (view) => prefixLines(view, (line) => `${line + 1}. `),
  tasks: (view) => prefixLines(view, `${bulletOf(view.state, 'tasks')} [ ] `),
  codeblock: (view) => insertBlock(view, '```text\n', '\n```'),
  table: insertTable,
  divider: (view) => insertBlock(view, '---\n\n', ''),
  callout: (view) => insertBlock(view, '> [!NOTE]\n> ', ''),
  tip: (view) => insertBlock(view, '> [!TIP]\n> ', ''),
  important: (view) => insertBlock(view, '> [!IMPORTANT]\n> ', ''),
  warning: (view) => insertBlock(view, '> [!WARNING]\n> ', ''),
  caution: (view) => insertBlock(view, '> [!CAUTION]\n> ', ''),
  formula: (view) => insertBlock(view, '$$\n', '\n$$'),
  toggle: (view) => {
    const words = wordsOf(view)('Title');
    const start = '<details>\n<summary>';
    const select = [start.length, start.length + words.length] as [number, number];
    insertBlock(view, `${start}${words}</summary>\n\n`, '\n\n</details>', select);
  },
  embed: (view) => insertBlock(view, ADDRESS_BEGINS, '', [0, ADDRESS_BEGINS.length]),
  footnote: insertFootnote,
  undo: (view) => void undo(view),
  redo: (view) => void redo(view),
};

/**
 * Puts a marker at the beginning of every selected line, instead of an old one. If all lines have it, removes it. Blank
 * lines between others get none, except in a quotation, which would end there.
 */
function prefixLines(view: EditorView, marker: string | ((line: number) => string)): void {
  const { state } = view;
  const all = chosenLines(state);
  // A paragraph over several lines gets one marker, and becomes one line: a heading has no second one.
  const breaks = marker === '> ' ? [] : all.flatMap(({ from }) => breakBefore(state, from) ?? []);
  const chosen = marker === '> ' ? all : all.filter(({ from }) => !breakBefore(state, from));
  const written = chosen.filter(({ text }) => text.trim() !== '');
  const lines = written.length === 0 || marker === '> ' ? chosen : written;
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
  if (!hasAll) changes.push(...breaks.map(({ from, to }) => ({ from, to, insert: ' ' })));
  const set = state.changes(changes);
  // The caret stays after a marker that is inserted at its position.
  dispatchInput(view, { changes: set, selection: state.selection.map(set, 1) });
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

/** The lines of the selection, and the others of their paragraphs, which the live view shows as one line. */
function chosenLines(state: EditorState) {
  const { doc, selection } = state;
  let first = doc.lineAt(selection.main.from);
  let last = doc.lineAt(selection.main.to);
  while (breakBefore(state, first.from)) first = doc.line(first.number - 1);
  while (last.number < doc.lines && breakBefore(state, last.to + 1)) last = doc.line(last.number + 1);
  const lines = [];
  for (let { number } = first; number <= last.number; number += 1) lines.push(doc.line(number));
  return lines;
}

/** The line feed before a line that is shown as a space; undefined for any other. */
function breakBefore(state: EditorState, lineStart: number) {
  return softBreaksIn(state, lineStart - 1, lineStart).find(({ from }) => from === lineStart - 1);
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
  dispatchInput(view, {
    changes: { from, to, insert: `${lead}${before}${chosen}${after}${tail}` },
    selection: select
      ? { anchor: start + select[0], head: start + select[1] }
      : { anchor: start + before.length + chosen.length },
  });
}

export function insertMarkdown(view: EditorView, markdown: string): void {
  const text = markdown.trim();
  if (text.includes('\n')) insertBlock(view, text, '');
  else dispatchInput(view, view.state.replaceSelection(text));
  view.focus();
}

/** A link in a paragraph of its own with braces behind it. Its words are selected, so that it gets its address next. */
export function insertMarkedLink(view: EditorView, kind: 'button' | 'bookmark'): void {
  const { main } = view.state.selection;
  const words = main.empty ? wordsOf(view)('Title') : '';
  const length = words.length + main.to - main.from;
  insertBlock(view, `[${words}`, `](${ADDRESS_BEGINS}){.${kind}}`, [1, 1 + length]);
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
  const lineBreaks = to < end && text.endsWith('\n\n') ? '' : to < end && text.endsWith('\n') ? '\n' : '\n\n';
  const reference = `[^${number}]`;
  dispatchInput(view, {
    changes: [
      { from, to, insert: reference },
      { from: end, insert: `${lineBreaks}${reference}: ` },
    ],
    selection: { anchor: end - (to - from) + reference.length + lineBreaks.length + reference.length + 2 },
  });
}

/** Inserts an empty table below the caret's line or code block and moves the caret into its first cell. */
function insertTable(view: EditorView): void {
  const { state } = view;
  const caret = state.selection.main.to;
  const at = codeAt(state, caret)?.to ?? state.doc.lineAt(caret).to;
  const { lead, tail } = paragraphAround(state, at, at);
  const start = at + lead.length;
  // An empty line after a table at the end of the text, so that a tap below the table does not go into the table.
  const end = tail === '\n' && at === state.doc.length ? '\n\n' : tail;
  view.dispatch({
    changes: { from: at, insert: `${lead}|  |  |\n| --- | --- |\n|  |  |\n|  |  |${end}` },
    selection: { anchor: start + 2 },
    effects: textFocused.of(false),
    scrollIntoView: true,
    userEvent: 'input',
  });
  // The Markdown view has no grid. There the selection above is already in the first cell.
  if (!enterTableAt(view, start, 'above')) view.focus();
}
