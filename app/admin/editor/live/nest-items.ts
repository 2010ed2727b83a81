import { indentLess, indentMore } from '@codemirror/commands';
import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState, Line, Transaction } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

/** One item of a list: its first line, and the number of its last one. */
interface Item {
  line: Line;
  lastLine: number;
  column: number;
  mark: string;
  node: SyntaxNode;
}

/** A list around the current item: the column of its items, and the mark of the next one. */
interface Level {
  column: number;
  mark: string;
}

/**
 * Tab nests the selected list items below the item before them; Shift+Tab moves them out again. In code both indent the
 * lines. Anywhere else they move the focus, as browsers do.
 */
export const nestItems = shiftItems('in');
export const unnestItems = shiftItems('out');

function shiftItems(direction: 'in' | 'out'): Command {
  return (view) => {
    const { state } = view;
    if (isInCode(state)) return (direction === 'out' ? indentLess : indentMore)(view);
    const list = outermostList(state);
    if (!list) return false;
    const items = itemsOf(state, list);
    const [first, last] = chosenLines(state);
    const firstItem = items.findLast(({ line }) => line.number <= first);
    const chosen = items.filter(({ line }) => line.number > first && line.number <= last);
    if (firstItem && firstItem.lastLine >= first) chosen.unshift(firstItem);
    const moved = chosen.filter(({ node }) => !chosen.some((other) => isInside(node, other.node)));
    if (moved.length === 0) return false;
    const shift = (direction === 'out' ? shiftOut : shiftIn)(items, moved[0]!);
    // The first item cannot be nested, and Tab does nothing. Shift+Tab in an outermost item moves the focus.
    if (shift === 0) return direction === 'in';
    const changes = moveItems(state, items, new Set(moved), shift);
    view.dispatch({ changes, scrollIntoView: true, userEvent: 'input.indent' });
    return true;
  };
}

function isInCode(state: EditorState): boolean {
  const { from, to } = state.selection.main;
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(from, -1); node; node = node.parent)
    if (node.name === 'FencedCode') {
      const [opening, closing] = [state.doc.lineAt(node.from), state.doc.lineAt(node.to)];
      return from > opening.to && to < closing.from;
    }
  return false;
}

/** The outermost list around the caret; null in quotations, since their marks begin the lines. */
function outermostList(state: EditorState): SyntaxNode | null {
  const line = state.doc.lineAt(state.selection.main.from);
  const indent = /^\s*/.exec(line.text)![0].length;
  let list: SyntaxNode | null = null;
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(line.from + indent, 1);
  for (; node; node = node.parent) {
    if (node.name === 'Blockquote') return null;
    if (/^(Bullet|Ordered)List$/.test(node.name)) list = node;
  }
  return list;
}

function itemsOf(state: EditorState, list: SyntaxNode): Item[] {
  const items: Item[] = [];
  list.cursor().iterate((entered) => {
    if (entered.name === 'Blockquote') return false;
    if (entered.name !== 'ListMark') return;
    const line = state.doc.lineAt(entered.from);
    const node = entered.node.parent!;
    items.push({
      line,
      lastLine: state.doc.lineAt(node.to).number,
      column: columns(line.text.slice(0, entered.from - line.from)),
      mark: state.sliceDoc(entered.from, entered.to),
      node,
    });
    return;
  });
  return items;
}

function chosenLines({ doc, selection: { main } }: EditorState): [number, number] {
  const last = doc.lineAt(main.to);
  const endsAtLineStart = !main.empty && main.to === last.from;
  return [doc.lineAt(main.from).number, endsAtLineStart ? last.number - 1 : last.number];
}

function isInside(node: SyntaxNode, other: SyntaxNode): boolean {
  return node.from > other.from && node.to <= other.to;
}

/**
 * The columns by which an item moves to the right: to the items nested in the item before it or, without those, to the
 * text of that item. 0 for the first item of a list.
 */
function shiftIn(items: readonly Item[], { line, column, node }: Item): number {
  const before = items.findLast(
    (other) => other.line.number < line.number && other.node.parent?.from === node.parent?.from,
  );
  if (!before) return 0;
  const below = items.find((other) => isInside(other.node, before.node));
  return (below?.column ?? before.column + before.mark.length + 1) - column;
}

/** The columns, as a negative number, by which an item moves left to the item around it; 0 for an outermost item. */
function shiftOut(items: readonly Item[], { column, node }: Item): number {
  const holder = items.findLast((other) => isInside(node, other.node));
  return holder ? holder.column - column : 0;
}

/** Moves items with all their lines. The items get the marks of their new lists, and numbers stay consecutive. */
function moveItems(
  state: EditorState,
  items: readonly Item[],
  moved: ReadonlySet<Item>,
  shift: number,
): ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  const shifts = new Map<number, number>();
  const move = (from: number, to: number, by: number) => {
    for (let number = from; number <= to; number += 1) shifts.set(number, (shifts.get(number) ?? 0) + by);
  };
  for (const { line, lastLine } of moved) move(line.number, lastLine, shift);
  const levels: Level[] = [];
  for (const item of items) {
    const { line, lastLine, mark } = item;
    const column = item.column + (shifts.get(line.number) ?? 0);
    while (levels.length > 0 && levels.at(-1)!.column > column) levels.pop();
    const level = levels.at(-1)?.column === column ? levels.pop()! : null;
    const next = markIn(level, mark, { hasMoved: moved.has(item) });
    levels.push({ column, mark: following(next) });
    if (next === mark) continue;
    const at = line.from + /^\s*/.exec(line.text)![0].length;
    changes.push({ from: at, to: at + mark.length, insert: next });
    // The item's further lines stay aligned with its first word.
    move(line.number + 1, lastLine, next.length - mark.length);
  }
  for (const [number, by] of shifts) {
    const { from, text } = state.doc.line(number);
    const indent = /^\s*/.exec(text)![0];
    if (by === 0 || indent.length === text.length) continue;
    changes.push({ from, to: from + indent.length, insert: ' '.repeat(Math.max(0, columns(indent) + by)) });
  }
  return changes;
}

/** The mark of a list item. A moved item gets the mark of its new list; any other item keeps its kind of mark. */
function markIn(level: Level | null, mark: string, { hasMoved }: { hasMoved: boolean }): string {
  const isNumber = /\d/.test(mark);
  if (!level) return isNumber && hasMoved ? `1${mark.at(-1)!}` : mark;
  if (hasMoved) return level.mark;
  return isNumber && level.mark.at(-1) === mark.at(-1) ? level.mark : mark;
}

function following(mark: string): string {
  return /\d/.test(mark) ? `${Number.parseInt(mark, 10) + 1}${mark.at(-1)!}` : mark;
}

/** The width of white space in columns: a tab extends to the next multiple of four. */
function columns(indent: string): number {
  let count = 0;
  for (const character of indent) count += character === '\t' ? 4 - (count % 4) : 1;
  return count;
}

/** Continues a list or a quotation, also on an empty line. */
export const continueMarkup = insertNewlineContinueMarkupCommand({ nonTightLists: false });
const emptyItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?\s*$/;

const emptyQuote = /^> ?$/;

/**
 * Enter continues a list or a quotation. In an empty item, or on an empty last line of a quotation, Enter ends the
 * block and leaves a blank line: in Markdown a line right below an item belongs to the item.
 */
export const continueOrEndList: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  let continued: Transaction | undefined;
  if (!continueMarkup({ state, dispatch: (transaction) => (continued = transaction) })) return false;
  const continuedLine = continued!.newDoc.lineAt(continued!.newSelection.main.head);
  const textBelow = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : '';
  const endsQuote = emptyQuote.test(line.text) && !textBelow.startsWith('>');
  const endsList = emptyItem.test(line.text) && continuedLine.text === '';
  const endsBlock = main.empty && (endsList || endsQuote);
  const followsText = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  if (!endsBlock || !followsText) view.dispatch(continued!);
  else
    view.dispatch({
      changes: { from: line.from, to: line.to, insert: state.lineBreak },
      selection: { anchor: line.from + 1 },
      scrollIntoView: true,
      userEvent: 'input',
    });
  return true;
};
