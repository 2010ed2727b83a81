import {
  EditorState,
  Prec,
  type Extension,
  type Line,
  Transaction,
  type TransactionSpec,
  EditorSelection,
} from '@codemirror/state';
import { EditorView, keymap, type Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { parsedTree, partsIn, startOfWords, type Part } from '#app/admin/editor/live/blocks/inline-parts.ts';
import { readGallery, readMedia } from '#app/admin/editor/live/media/text.ts';
import { neighbour, pastMarks } from './caret.ts';
import { continueMarkup } from './nest-items.ts';

const linesAsTheyAre = /^(?:FencedCode|CodeBlock|HTMLBlock|CommentBlock|ProcessingInstructionBlock|Table)$/;

/** True in code, HTML and tables, where a line feed is one; also in the first row of a table that is being typed. */
function keepsLines(state: EditorState, at: number): boolean {
  if (/^\s*\|/.test(state.doc.lineAt(at).text)) return true;
  const tree = parsedTree(state, state.doc.lineAt(at).to);
  return ([-1, 1] as const).some((side) => {
    for (let node: SyntaxNode | null = tree.resolveInner(at, side); node; node = node.parent)
      if (linesAsTheyAre.test(node.name)) return node.from < at || node.from === state.doc.lineAt(at).from;
    return false;
  });
}

/** Moves the caret out of an inner edge of a link or of marked words, so that Enter does not take the mark along. */
const stepOut: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const place = main.empty ? outside(state, main.head) : main.head;
  if (place !== main.head) view.dispatch({ selection: { anchor: place } });
  return false;
};

function outside(state: EditorState, at: number): number {
  for (const { kind, from, to, open, close } of partsIn(state, at, at)) {
    if (kind === 'whole') continue;
    if (at === open.to && open.to < close.from) return outside(state, from);
    if (at === close.from) return outside(state, to);
  }
  return at;
}

/** Enter begins a paragraph. In code and tables it is a line feed; lists and quotations have a command of their own. */
export const beginParagraph: Command = (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  if (keepsLines(state, from)) return false;
  const line = state.doc.lineAt(from);
  const start = startOfWords(state, line);
  if (from === to && line.text.trim() === '') return beginOnEmptyLine(view, line);
  // Right behind the marks of a heading: the new paragraph is above it.
  const isBefore = from === to && from === start && start > line.from;
  const [head, end] = isBefore ? [line.from, line.from] : withoutSpaces(state, from, to);
  insert(view, { from: head, to: end, insert: '\n\n' }, isBefore ? from + 2 : head + 2);
  return true;
};

/** A line that is empty already is a paragraph, unless it is right below another one. */
function beginOnEmptyLine(view: EditorView, line: Line): true {
  const { doc } = view.state;
  const above = line.number > 1 ? doc.line(line.number - 1) : null;
  if (!above || above.text.trim() === '') return true;
  // A line break at the end of a paragraph is none.
  const end = above.from + above.text.replace(/\\$/, '').trimEnd().length;
  insert(view, { from: end, to: line.to, insert: '\n\n' }, end + 2);
  return true;
}

/** A range with the spaces, line feeds and line breaks beside it that are part of its paragraph. */
function withoutSpaces(state: EditorState, from: number, to: number): [number, number] {
  const isBreak = ({ name }: Part) => name === 'SoftBreak' || name === 'HardBreak';
  const before = partsIn(state, from, from).find((part) => isBreak(part) && part.to === from);
  const after = partsIn(state, to, to).find((part) => isBreak(part) && part.from === to);
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  const spacesBefore = /[ \t]*$/.exec(first.text.slice(0, from - first.from))![0].length;
  const spacesAfter = /^[ \t]*/.exec(last.text.slice(to - last.from))![0].length;
  return [before?.from ?? from - spacesBefore, after?.to ?? to + spacesAfter];
}

/** Shift+Enter is a line break: `\` at the end of the line. */
export const breakLine: Command = (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  if (keepsLines(state, from)) return false;
  const line = state.doc.lineAt(from);
  const start = startOfWords(state, line);
  const isEmptyItem = start > line.from && line.text.slice(start - line.from).trim() === '';
  if (isEmptyItem) return continueMarkup(view);
  const [head, end] = withoutSpaces(state, from, to);
  const isFirst = head >= line.from && state.sliceDoc(start, head).trim() === '';
  if (/^ {0,3}#{1,6}[ \t]/.test(line.text) || (isFirst && start === line.from)) return beginParagraph(view);
  if (isFirst) return true;
  // The next line stays in the quotation or list item.
  const marks = state.sliceDoc(line.from, start).replace(/[^>\s]/g, ' ');
  const indent = marks === '' ? /^[ \t]*/.exec(line.text)![0] : marks;
  insert(view, { from: head, to: end, insert: `\\\n${indent}` }, head + 2 + indent.length);
  return true;
};

function insert(view: EditorView, change: { from: number; to: number; insert: string }, caret: number): void {
  view.dispatch({ changes: change, selection: { anchor: caret }, scrollIntoView: true, userEvent: 'input' });
}

/** Enter within a link or marked words ends them, and begins them again on the new line. */
const splitMarks = EditorState.transactionFilter.of(
  (transaction): Transaction | readonly TransactionSpec[] => {
    const { startState: state, changes } = transaction;
    if (transaction.annotation(Transaction.userEvent) !== 'input' || !state.selection.main.empty)
      return transaction;
    const { head } = state.selection.main;
    let at: { from: number; to: number; words: string } | null = null;
    changes.iterChanges((from, to, newFrom, newTo, text) => {
      if (from <= head && to >= head && text.lines > 1)
        at = { from: newFrom, to: newTo, words: text.toString() };
    });
    if (!at) return transaction;
    const { from, to, words } = at as { from: number; to: number; words: string };
    const isBreak = words.startsWith('\\\n');
    const around = partsIn(state, head, head).filter(
      ({ kind, name, open, close }) =>
        kind !== 'whole' && head > open.from && head < close.to && (!isBreak || name === 'InlineCode'),
    );
    if (around.length === 0) return transaction;
    const opening = around.map(({ open }) => state.sliceDoc(open.from, open.to)).join('');
    const closing = around
      .toReversed()
      .map(({ close }) => state.sliceDoc(close.from, close.to))
      .join('');
    return [
      transaction,
      {
        changes: [
          { from, insert: closing },
          { from: to, insert: opening },
        ],
        selection: { anchor: to + closing.length + opening.length },
        sequential: true,
      },
    ];
  },
);

/** What begins a line of a list, quotation or table continues the one above or below it. */
const continuing = /^\s*(?:[-*+>|]|\d)/;
/** A heading, and the first and last line of code, take no words from the next line. */
const standsAlone = /^ {0,3}(?:#{1,6}(?:\s|$)|```|~~~)/;

/** The line feeds around a text on an empty line, which is a paragraph of its own also right below or above another one. */
function feedsOnEmptyLine(state: EditorState, line: Line, text: string): { lead: string; tail: string } {
  const isApart = (other: Line | null) =>
    !other ||
    other.text.trim() === '' ||
    standsAlone.test(other.text) ||
    (continuing.test(other.text) && continuing.test(text));
  const above = line.number > 1 ? state.doc.line(line.number - 1) : null;
  const below = line.number < state.doc.lines ? state.doc.line(line.number + 1) : null;
  const isBroken = above !== null && /(?:\\| {2})$/.test(above.text);
  return { lead: isApart(above) || isBroken ? '' : '\n', tail: isApart(below) ? '' : '\n' };
}

/** The line feeds around a text beside pictures or a divider, which are blocks of their own only without words. */
function feedsBesideBlock(
  state: EditorState,
  at: number,
  text: string,
): { lead: string; tail: string } | null {
  const line = state.doc.lineAt(at);
  const tree = parsedTree(state, line.to);
  const words = line.from + line.text.slice(0, at - line.from).trimEnd().length;
  for (const side of [-1, 1] as const) {
    let node: SyntaxNode | null = tree.resolveInner(side < 0 ? words : at, side);
    while (node && !/^(?:HorizontalRule|Paragraph)$/.test(node.name)) node = node.parent;
    if (!node) continue;
    const { from, to, name } = node;
    const block = state.sliceDoc(from, to).trimEnd();
    const isBlock =
      name === 'HorizontalRule' ? !block.startsWith(text) : name === 'Paragraph' && isOnlyPictures(block);
    if (!isBlock || /^[{!]/.test(text)) continue;
    if (at === from) return { lead: '', tail: '\n\n' };
    if (at >= to) return { lead: '\n\n', tail: '' };
  }
  return null;
}

function isOnlyPictures(text: string): boolean {
  return readMedia(text)?.length === text.length || readGallery(text) !== null;
}

/** A text is a paragraph of its own where it looks like one. */
const ownParagraph = EditorState.transactionFilter.of(
  (transaction): Transaction | readonly TransactionSpec[] => {
    const { startState: state, changes } = transaction;
    if (!transaction.isUserEvent('input.type') && !transaction.isUserEvent('input.paste')) return transaction;
    const inserted: { at: number; end: number; text: string }[] = [];
    changes.iterChanges((from, to, newFrom, newTo, text) => {
      if (from === to) inserted.push({ at: newFrom, end: newTo, text: text.toString() });
    });
    const [typed] = inserted;
    if (inserted.length !== 1 || typed!.text.trim() === '' || keepsLines(state, typed!.at))
      return transaction;
    const { at, end, text } = typed!;
    const line = state.doc.lineAt(at);
    const feeds =
      line.text.trim() === '' ? feedsOnEmptyLine(state, line, text) : feedsBesideBlock(state, at, text);
    if (!feeds || feeds.lead + feeds.tail === '') return transaction;
    const edits = [
      { from: at, insert: feeds.lead },
      { from: end, insert: feeds.tail },
    ].filter(({ insert }) => insert !== '');
    return [
      transaction,
      { changes: edits, selection: { anchor: end + feeds.lead.length }, sequential: true },
    ];
  },
);

/** An item that continues its list, with the mark that somebody types once more by habit. */
const markAgain = /^\s*(?:[-*+] (?:\[[ xX]\] )?[-*+]|[-*+] \[[ xX]\] \[ ?\]|\d{1,9}[.)] \d{1,9}[.)])$/;

/** Swallows the mark of a list that is typed where Enter has already written it. */
const markOnce = EditorView.inputHandler.of((view, from, to, text) => {
  const { doc } = view.state;
  const line = doc.lineAt(from);
  if (text !== ' ' || from !== to || line.number === 1 || !markAgain.test(line.text)) return false;
  if (to !== line.to || doc.line(line.number - 1).text.trim() === '') return false;
  const start = line.from + line.text.trimEnd().search(/(?:\[ ?\]|\S+)$/);
  view.dispatch({ changes: { from: start, to }, userEvent: 'input.type' });
  return true;
});

export const paragraphKeys: Extension = [
  splitMarks,
  ownParagraph,
  markOnce,
  Prec.high(keymap.of([{ key: 'Enter', run: stepOut, shift: stepOut }])),
];

/** Backspace and Delete beside hidden marks take the letter or word that people see there. */
function deleteBeside(step: 1 | -1, by: 'letter' | 'word'): Command {
  return (view) => {
    const { state } = view;
    const { main, ranges } = state.selection;
    if (!main.empty || ranges.length > 1) return false;
    const at = pastMarks(state, main.head, step);
    const whole = partsIn(state, at, at).find(
      ({ kind, from, to }) => kind === 'whole' && at === (step > 0 ? from : to),
    );
    const line = state.doc.lineAt(at);
    const start = startOfWords(state, line);
    if (step < 0 && at === start && start > line.from) {
      // What removes the marks of a list looks for the caret right behind them.
      if (at !== main.head) view.dispatch({ selection: { anchor: at }, userEvent: 'select.start' });
      return false;
    }
    const below =
      step > 0 && at === line.to && at < state.doc.length ? state.doc.line(line.number + 1) : null;
    const belowStart = below ? startOfWords(state, below) : 0;
    if (at === main.head && !whole && !(below && belowStart > below.from)) return false;
    let end = neighbour(state, at, step);
    if (whole) end = step > 0 ? whole.to : whole.from;
    else if (end === at) end = below ? belowStart : Math.max(0, at - 1);
    else if (by === 'word') {
      const { head } = view.moveByGroup(EditorSelection.cursor(at), step > 0);
      end = Math.min(line.to, Math.max(line.from, head));
    }
    view.dispatch({
      changes: { from: Math.min(at, end), to: Math.max(at, end) },
      // Within the marks, so that another letter typed in its place looks like it.
      selection: { anchor: step > 0 ? main.head : end },
      scrollIntoView: true,
      userEvent: step > 0 ? 'delete.forward' : 'delete.backward',
    });
    return true;
  };
}

/** Backspace at the beginning of a heading makes a paragraph of it. */
const endHeading: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const start = startOfWords(state, line);
  if (!main.empty || main.head !== start || start === line.from || !/^ {0,3}#{1,6}[ \t]/.test(line.text))
    return false;
  view.dispatch({
    changes: { from: line.from, to: start },
    scrollIntoView: true,
    userEvent: 'delete.backward',
  });
  return true;
};

export const deleteKeys: Extension = Prec.high(
  keymap.of([
    { key: 'Backspace', run: endHeading },
    { key: 'Backspace', run: deleteBeside(-1, 'letter'), shift: deleteBeside(-1, 'letter') },
    { key: 'Delete', run: deleteBeside(1, 'letter') },
    { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteBeside(-1, 'word') },
    { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteBeside(1, 'word') },
  ]),
);
