import { forceParsing } from '@codemirror/language';
import {
  type Extension,
  EditorSelection,
  EditorState,
  findClusterBreak,
  Prec,
  Transaction,
  type SelectionRange,
} from '@codemirror/state';
import { EditorView, ViewPlugin, type ViewUpdate, Direction, keymap, type Command } from '@codemirror/view';
import { partsIn, startOfWords } from '#app/admin/editor/live/blocks/inline-parts.ts';

const PAUSE_MS = 500;
/** The most characters that a window shows. */
const IN_SIGHT = 5_000;

/**
 * Lets the caret blink only in pauses. CodeMirror starts an animation at each keystroke, and the browser keeps the
 * animations for a while: after some hundred keystrokes each took a third more time.
 */
export const blinkInPauses = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly view: EditorView) {
      this.blinkAfterPause();
    }

    update({ docChanged, selectionSet, focusChanged }: ViewUpdate) {
      if (docChanged || selectionSet || focusChanged) this.blinkAfterPause();
    }

    destroy() {
      clearTimeout(this.timer);
    }

    private blinkAfterPause() {
      const { dom } = this.view;
      clearTimeout(this.timer);
      dom.removeAttribute('data-pause');
      this.timer = setTimeout(() => dom.setAttribute('data-pause', ''), PAUSE_MS);
    }
  },
);

/**
 * Sets the caret as soon as the text gets the focus. A dialog that closes returns the focus without a caret, and
 * CodeMirror sets it only after a pause: on a busy device the browser dropped the keys that were pressed until then.
 */
export const caretAtFocus = EditorView.domEventHandlers({
  focus: (_event, view) => {
    if (!view.contentDOM.contains(getSelection()?.focusNode ?? null)) view.focus();
  },
});

/**
 * Parses the text up to the caret and below it as far as a window shows. Its length is the limit, not a time.
 * CodeMirror itself parses for at most 20 ms of the clock, and goes on when the page is idle. On a machine that stood
 * still meanwhile the text moves when its marks vanish late, and Enter does not know the list that it is in.
 */
export function parseAtCaret(view: EditorView): void {
  const { doc, selection } = view.state;
  forceParsing(view, Math.min(doc.length, selection.main.head + IN_SIGHT), Infinity);
}

export const keepParsed: Extension = EditorView.updateListener.of(({ docChanged, selectionSet, view }) => {
  if (docChanged || selectionSet) parseAtCaret(view);
});

/**
 * The place of the caret for a position: never within something hidden, and at the edge of a link outside it.
 * @param old where a key moved the caret from; null for a click
 */
function caretPlace(state: EditorState, at: number, old: number | null): number {
  const direction = old === null ? 0 : Math.sign(at - old);
  for (let place = at; ;) {
    const next = leaveMarks(state, place, old, direction);
    if (next === place) return place;
    place = next;
  }
}

function leaveMarks(state: EditorState, at: number, old: number | null, direction: number): number {
  for (const part of partsIn(state, at, at)) {
    const { kind, open, close } = part;
    const inside = [open, close].find(({ from, to }) => at > from && at < to);
    if (inside) {
      if (direction < 0) return inside.from;
      // Behind a hard line break is the next line, where only the arrow to it leads.
      if (part.name === 'HardBreak') return direction > 0 && old === part.from ? part.to : part.from;
      return direction > 0 ? inside.to : inside === open ? part.from : part.to;
    }
    if (kind !== 'link') continue;
    // A key that steps over the hidden mark goes on to the next letter, or else nothing would move on the screen.
    if (at === open.to && open.to < close.from)
      return old === open.from && direction > 0 ? neighbour(state, at, 1) : open.from;
    if (at === close.from) return old === close.to && direction < 0 ? neighbour(state, at, -1) : close.to;
  }
  return at;
}

/** The position of the next or previous letter of a line. */
export function neighbour(state: EditorState, at: number, step: 1 | -1): number {
  const line = state.doc.lineAt(at);
  return line.from + findClusterBreak(line.text, at - line.from, step > 0);
}

/** The place of the caret for a click or key, which lead behind the marks at the beginning of a line. */
function placeInLine(state: EditorState, at: number, old: number | null): number {
  return behindLineMarks(state, caretPlace(state, at, old), old);
}

/** The marks at the beginning of a line are no place for the caret. An arrow to the left leads to the line above. */
function behindLineMarks(state: EditorState, at: number, old: number | null): number {
  const line = state.doc.lineAt(at);
  const start = startOfWords(state, line);
  if (at >= start) return at;
  return old === start && at === old - 1 && line.number > 1 ? placeInLine(state, line.from - 1, null) : start;
}

/** The end of a selection is never within something hidden; at the edge of a link it may be inside. */
function endPlace(
  state: EditorState,
  at: number,
  { other, old }: { other: number; old: number | null },
): number {
  const direction = old === null ? Math.sign(at - other) : Math.sign(at - old);
  const forward = direction > 0;
  let place = at;
  for (const part of partsIn(state, at, at)) {
    const { open, close, kind } = part;
    for (const mark of [open, close]) {
      if (place > mark.from && place < mark.to) place = forward ? mark.to : mark.from;
      const isOver = forward
        ? old === mark.from && place === mark.to
        : old === mark.to && place === mark.from;
      if (isOver && kind === 'link') place = neighbour(state, place, forward ? 1 : -1);
    }
  }
  const line = state.doc.lineAt(place);
  const start = startOfWords(state, line);
  return place < start && other >= start && other <= line.to ? start : place;
}

function rangePlace(
  state: EditorState,
  range: SelectionRange,
  { old, isByUser }: { old: SelectionRange | null; isByUser: boolean },
): SelectionRange {
  const { anchor, head, empty, goalColumn } = range;
  if (empty) {
    const place = (isByUser ? placeInLine : caretPlace)(state, head, old && old.head);
    return EditorSelection.cursor(place, range.assoc, undefined, goalColumn);
  }
  // All of the text, with its first marks.
  if (anchor === 0 && head === state.doc.length) return range;
  const place = endPlace(state, head, { other: anchor, old: old && old.head });
  const start = endPlace(state, anchor, { other: head, old: null });
  return EditorSelection.range(start, place, goalColumn);
}

/** Every movement of the caret ends at a place where people can see it. */
const settleSelection = EditorState.transactionFilter.of((transaction) => {
  const { startState: state, docChanged, newSelection } = transaction;
  if (!transaction.selection || docChanged) return transaction;
  // Clicks and the product's own movements have no direction.
  const isKey = transaction.annotation(Transaction.userEvent) === 'select';
  const [before] = isKey && state.selection.ranges.length === 1 ? state.selection.ranges : [];
  // A command that leaves a block above a list writes before its first mark.
  const isByUser = transaction.isUserEvent('select');
  const how = { old: before ?? null, isByUser };
  const ranges = newSelection.ranges.map((range) => rangePlace(state, range, how));
  const isSame = ranges.every((range, index) => {
    const { anchor, head } = newSelection.ranges[index]!;
    return range.anchor === anchor && range.head === head;
  });
  return isSame
    ? transaction
    : [transaction, { selection: EditorSelection.create(ranges, newSelection.mainIndex) }];
});

/** The position behind hidden marks that are next to the caret, in the direction of a step. */
export function pastMarks(state: EditorState, at: number, step: 1 | -1): number {
  for (const { kind, open, close } of partsIn(state, at, at)) {
    if (kind === 'whole') continue;
    for (const { from, to } of [open, close])
      if ((step > 0 ? from : to) === at) return pastMarks(state, step > 0 ? to : from, step);
  }
  return at;
}

/** Ctrl and an arrow: a word further, as people see the words. */
function moveByWord(arrow: 1 | -1, { isSelecting }: { isSelecting: boolean }): Command {
  return (view) => {
    const { state } = view;
    const isLtr = view.textDirectionAt(state.selection.main.head) === Direction.LTR;
    const step = isLtr ? arrow : (-arrow as 1 | -1);
    const { main, ranges } = state.selection;
    if (ranges.length > 1 || (!main.empty && !isSelecting)) return false;
    const line = state.doc.lineAt(main.head);
    const isFirst = step < 0 && main.head === startOfWords(state, line) && line.number > 1;
    const from = isFirst ? line.from : pastMarks(state, main.head, step);
    const { head } = view.moveByGroup(EditorSelection.cursor(from), step > 0);
    if (isSelecting)
      view.dispatch({ selection: { anchor: main.anchor, head }, scrollIntoView: true, userEvent: 'select' });
    else {
      const place = caretPlace(state, head, from);
      view.dispatch({ selection: { anchor: place }, scrollIntoView: true, userEvent: 'select.word' });
    }
    return true;
  };
}

/** Home and End stay where the caret is already at that end of the line, as people see it. */
function stayInLine(step: 1 | -1): Command {
  return ({ state }) => {
    const { head } = state.selection.main;
    if (step < 0) return head === startOfWords(state, state.doc.lineAt(head)) && state.selection.main.empty;
    return partsIn(state, head, head).some(({ name, from }) => name === 'HardBreak' && from === head);
  };
}

const word = (step: 1 | -1) => ({
  run: moveByWord(step, { isSelecting: false }),
  shift: moveByWord(step, { isSelecting: true }),
});

/** Keeps the caret out of everything hidden. */
export const caretPlaces: Extension = [
  settleSelection,
  Prec.high(
    keymap.of([
      { key: 'Mod-ArrowLeft', mac: 'Alt-ArrowLeft', ...word(-1) },
      { key: 'Mod-ArrowRight', mac: 'Alt-ArrowRight', ...word(1) },
      { key: 'Home', mac: 'Cmd-ArrowLeft', run: stayInLine(-1) },
      { key: 'End', mac: 'Cmd-ArrowRight', run: stayInLine(1), shift: stayInLine(1) },
    ]),
  ),
];
