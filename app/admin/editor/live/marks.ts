import { syntaxTree } from '@codemirror/language';
import {
  EditorSelection,
  EditorState,
  type SelectionRange,
  StateEffect,
  StateField,
  type ChangeSet,
  type Extension,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { dispatchInput } from '#app/admin/editor/live/base/text-focus.ts';
import { partsIn, startOfWords, type Part, type Span } from '#app/admin/editor/live/blocks/inline-parts.ts';
import { blockAround, fit, marksOf, type Fit, merged } from './fit-marks.ts';

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

/**
 * The closing marks that go behind the next typed word. A space is written behind them, since a mark after a space
 * closes nothing, but a word after it still gets the look of the words before it.
 */
const goesOn = StateEffect.define<Span | null>();

const goingOn = StateField.define<Span | null>({
  create: () => null,
  update(before, { effects, docChanged, selection }) {
    for (const effect of effects) if (effect.is(goesOn)) return effect.value;
    return docChanged || selection ? null : before;
  },
});

/** Ends marks behind whose closing one a space was typed: the next word gets no such mark. @returns false if none go on */
function endMarks(view: EditorView, mark: string): boolean {
  const close = view.state.field(goingOn, false);
  if (!close || !view.state.sliceDoc(close.from, close.to).includes(mark)) return false;
  view.dispatch({ effects: goesOn.of(null) });
  return true;
}

interface Change extends Span {
  insert: string;
}

type Filtered = Transaction | TransactionSpec;

/** Text that is no mark of Markdown. */
const plain = /^[^\\`*_~[\]<>#|\n]*$/;

/** Typing, pasting and deleting never break what is hidden beside them. */
const filter = EditorState.transactionFilter.of((transaction): Filtered => {
  const isTyped = transaction.isUserEvent('input.type');
  const isInput = isTyped || transaction.isUserEvent('delete') || transaction.isUserEvent('input.paste');
  // An input method would lose its place.
  if (!isInput || transaction.isUserEvent('input.type.compose')) return transaction;
  const change = onlyChange(transaction.changes);
  if (!change) return transaction;
  if (change.from < change.to) return replaced(transaction, change);
  if (!isTyped) return transaction;
  return (
    besideSoftBreak(transaction, change) ??
    (plain.test(change.insert) ? typed(transaction, change) : transaction)
  );
});

/** A sign at the beginning of a line could begin a list, and spaces at the end of one break the line. */
function besideSoftBreak(transaction: Transaction, { from: at, insert }: Change): TransactionSpec | null {
  for (const { name, from, to } of partsIn(transaction.startState, at, at)) {
    const isBehind = at === to && !/^\p{L}/u.test(insert);
    if (name !== 'SoftBreak' || !(isBehind || (at === from && insert.endsWith(' ')))) continue;
    const words = isBehind ? ` ${insert}` : `${insert} `;
    const changes = transaction.startState.changes({ from, to, insert: words });
    return rewrite(transaction, { changes, caret: from + (isBehind ? words : insert).length, goesOn: null });
  }
  return null;
}

function onlyChange(changes: ChangeSet): Change | null {
  const found: Change[] = [];
  changes.iterChanges(
    (from, to, _newFrom, _newTo, text) => found.push({ from, to, insert: text.toString() }),
    true,
  );
  return found.length === 1 ? found[0]! : null;
}

function typed(transaction: Transaction, { from, insert }: Change): Filtered {
  const { startState: state } = transaction;
  const { main } = state.selection;
  const at = main.empty && isHiddenBetween(state, from, main.head) ? main.head : from;
  const close = state.field(goingOn);
  if (close && insert.trim() !== '' && state.sliceDoc(close.to, at).trim() === '') {
    const moved = [close, { from: at, insert: insert + state.sliceDoc(close.from, close.to) }];
    const caret = at - (close.to - close.from) + insert.length;
    return rewrite(transaction, { changes: state.changes(moved), caret, goesOn: null });
  }
  const touching = partsIn(state, at, at);
  const block = touching.length > 0 && blockAround(state, at);
  if (!block) return transaction;
  const words = needsEscape(state, touching, at, insert)
    ? `${insert.slice(0, -1)}\\${insert.at(-1)!}`
    : insert;
  const expected = marksOf(state, block);
  const edges = touching.flatMap(({ from, to, open, close }) => [to, close.from, open.to, from]);
  const places = edges.sort((one, other) => Math.abs(one - at) - Math.abs(other - at));
  for (const place of new Set([at, ...places])) {
    const changes = state.changes({ from: place, insert: words });
    const caret = place + words.length;
    const near = { from: place, to: caret };
    const marks = words === insert ? expected : [...expected, 'Escape'];
    const fitting = fit(state, changes, { block, expected: marks, near, caret });
    if (fitting)
      return fitting.changes === changes && place === from && words === insert
        ? transaction
        : rewrite(transaction, fitting);
  }
  return transaction;
}

/** True if nothing visible is between two positions: the browser may put a typed letter on either side of a mark. */
function isHiddenBetween(state: EditorState, one: number, other: number): boolean {
  const [start, end] = one < other ? [one, other] : [other, one];
  const marks = partsIn(state, start, end).flatMap(({ open, close }) => [open, close]);
  let at = start;
  for (const { from, to } of marks.sort((a, b) => a.from - b.from)) if (from <= at && to > at) at = to;
  return at >= end;
}

/** `!` right before a link would make it a picture, and `(` right behind a footnote would make it a link. */
function needsEscape(state: EditorState, touching: readonly Part[], at: number, insert: string): boolean {
  return touching.some(({ name, from, to }) => {
    const isBefore = from === at && insert.endsWith('!');
    const isBehind = to === at && insert.startsWith('(') && state.sliceDoc(to - 1, to) === ']';
    return name === 'Link' && insert.length === 1 && (isBefore || isBehind);
  });
}

/** A deletion, or a text that replaces another one. */
function replaced(transaction: Transaction, { from, to: end, insert }: Change): Filtered {
  const { startState: state } = transaction;
  const to = endOfDeletion(state, from, end);
  const touching = partsIn(state, from, to);
  if (touching.length === 0 && to === end) return transaction;
  const parts = touching.filter((part) => part.from < to && part.to > from);
  const { deleted, at, gone } = visibleText(parts, { from, to }, { isReplaced: insert !== '' });
  const isSame = at === from && deleted.length === 1 && deleted[0]!.from === from && deleted[0]!.to === end;
  const changes = isSame ? transaction.changes : state.changes([...deleted, { from: at, insert }]);
  const near = { from: changes.mapPos(at, -1), to: changes.mapPos(at, 1) };
  const block = blockAround(state, from);
  const rewritten: Fit = { changes, caret: near.to, goesOn: null };
  if (block && to <= block.to && plain.test(insert)) {
    const expected = marksOf(state, block, gone);
    const fitting = fit(state, changes, { block, expected, near, caret: near.to });
    if (fitting && (fitting.changes !== changes || !isSame)) return rewrite(transaction, fitting);
  }
  return isSame ? transaction : rewrite(transaction, rewritten);
}

/** Words that come together with those of another line are not parted by the marks of that line. */
function endOfDeletion(state: EditorState, from: number, to: number): number {
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  if (first.number === last.number || from <= startOfWords(state, first)) return to;
  return Math.max(to, startOfWords(state, last));
}

/**
 * What a deletion takes: the visible text of a range, and the marks around text of which nothing is left.
 * @param isReplaced new text takes the place of the old one, and keeps its look
 */
function visibleText(parts: readonly Part[], range: Span, { isReplaced }: { isReplaced: boolean }) {
  const wholes = parts.filter(({ kind }) => kind === 'whole');
  const from = Math.min(range.from, ...wholes.map((part) => part.from));
  const to = Math.max(range.to, ...wholes.map((part) => part.to));
  const [gone, spans, kept] = [[...wholes], [{ from, to }] as Span[], [] as Span[]];
  let at = from;
  for (const part of parts) {
    const { kind, open, close } = part;
    if (kind === 'whole') continue;
    if (from <= part.from && to >= part.to) {
      gone.push(part);
      continue;
    }
    const isWithin = from >= part.from && to <= part.to;
    if (from <= open.to && to >= close.from && !(isReplaced && isWithin)) {
      gone.push(part);
      spans.push(open, close);
      continue;
    }
    kept.push(open, close);
    if (at >= open.from && at < open.to) at = open.to;
    if (at > close.from && at <= close.to) at = close.to;
  }
  return { deleted: without(merged(spans), kept), at, gone };
}

function without(spans: readonly Span[], kept: readonly Span[]): Span[] {
  return kept.reduce<readonly Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) =>
        [
          { from: span.from, to: Math.min(span.to, from) },
          { from: Math.max(span.from, to), to: span.to },
        ].filter((part) => part.from < part.to),
      ),
    spans,
  ) as Span[];
}

/** The same input with other changes. */
function rewrite(transaction: Transaction, { changes, caret, goesOn: close }: Fit): TransactionSpec {
  const effects = close ? [...transaction.effects, goesOn.of(close)] : transaction.effects;
  return {
    changes,
    selection: { anchor: caret },
    effects,
    scrollIntoView: true,
    userEvent: transaction.annotation(Transaction.userEvent),
  };
}

export const keepMarks: Extension = [goingOn, filter];
