import {
  EditorState,
  StateEffect,
  StateField,
  type ChangeSet,
  type Extension,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { partsIn, startOfWords, type Part, type Span } from './blocks/inline-parts.ts';
import { blockAround, fit, marksOf, type Fit } from './fit-marks.ts';

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
export function endMarks(view: EditorView, mark: string): boolean {
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

function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && span.from <= last.to)
      found[found.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else found.push(span);
  }
  return found;
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
