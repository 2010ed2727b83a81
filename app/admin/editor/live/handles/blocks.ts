import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { markers } from '#app/admin/editor/live/marks.ts';

/** A paragraph, heading, table, picture … or one item of a list: whole lines, without the line feed behind them. */
export interface Block {
  name: string;
  from: number;
  to: number;
}

/** A block among those that it can change places with: the others of the text, or the other items of its list. */
export interface BlockPlace {
  blocks: Block[];
  at: number;
}

/** The block at a position; null on an empty line, and where the text isn't parsed yet. */
export function blockAt(state: EditorState, at: number): Block | null {
  const node = nodeAt(state, at);
  return node && wholeLines(state, node);
}

/** A block and its neighbours. Costs time that grows with the text: not for each key. */
export function placeOf(state: EditorState, at: number): BlockPlace | null {
  const node = nodeAt(state, at);
  if (!node) return null;
  const blocks: Block[] = [];
  let index = 0;
  for (let one = node.parent!.firstChild; one; one = one.nextSibling) {
    if (one.from === node.from) index = blocks.length;
    blocks.push(wholeLines(state, one));
  }
  return { blocks, at: index };
}

/** The top node at a position, or in a list of several items its item. */
function nodeAt(state: EditorState, at: number): SyntaxNode | null {
  const line = state.doc.lineAt(at);
  const start = line.from + line.text.search(/\S/);
  let node: SyntaxNode | null = start < line.from ? null : syntaxTree(state).resolveInner(start, 1);
  // A blank line within a block, such as code, belongs to it.
  node ??= syntaxTree(state).resolveInner(line.from, -1);
  while (node.parent?.parent) node = node.parent;
  if (!node.parent || node.from > line.to || state.doc.lineAt(node.to).to < line.from) return null;
  if (!isList(node.name) || node.firstChild === node.lastChild) return node;
  let item = node.firstChild!;
  while (item.nextSibling && item.nextSibling.from <= line.to) item = item.nextSibling;
  return item;
}

const isList = (name: string) => name === 'BulletList' || name === 'OrderedList';

function wholeLines({ doc }: EditorState, { name, from, to }: SyntaxNode): Block {
  return { name, from: doc.lineAt(from).from, to: doc.lineAt(to).to };
}

/**
 * Moves a block to a gap between its neighbours (0: before the first). Everything else keeps its bytes; the numbers of
 * a list stay in their places. Null if the block would stay where it is.
 */
export function moveBlock(
  state: EditorState,
  { blocks, at }: BlockPlace,
  gap: number,
): TransactionSpec | null {
  if (gap === at || gap === at + 1 || gap < 0 || gap > blocks.length) return null;
  const [first, last] = gap < at ? [gap, at] : [at, gap - 1];
  const moved = blocks.slice(first, last + 1);
  const isItem = moved[0]!.name === 'ListItem';
  const texts = moved.map(({ from, to }) => state.sliceDoc(from, to));
  const numbers = texts.map((text) => /^\s*(\d{1,9})[.)] /.exec(text)?.[1]);
  if (gap < at) texts.unshift(texts.pop()!);
  else texts.push(texts.shift()!);
  const between = (index: number) =>
    index < 0 || index >= blocks.length - 1
      ? null
      : state.sliceDoc(blocks[index]!.to, blocks[index + 1]!.from);
  let insert = missingLine(between(first - 1), isItem);
  let from = 0;
  for (const [index, text] of texts.entries()) {
    if (index > 0) {
      const gapText = between(first + index - 1)!;
      insert += missingLine(gapText, isItem) + gapText;
    }
    if (index === (gap < at ? 0 : texts.length - 1)) from = insert.length;
    insert += isItem ? renumbered(text, numbers[index]) : text;
  }
  insert += missingLine(between(last), isItem);
  const start = blocks[first]!.from;
  const offset = Math.min(
    Math.max(0, state.selection.main.head - blocks[at]!.from),
    blocks[at]!.to - blocks[at]!.from,
  );
  return {
    changes: { from: start, to: blocks[last]!.to, insert },
    selection: { anchor: Math.min(start + from + offset, start + insert.length) },
  };
}

/** Blocks that only a line feed parts, such as a heading and its paragraph, need an empty line beside another. */
function missingLine(between: string | null, isItem: boolean): string {
  return between === null || isItem || /\n[ \t]*\n/.test(between) ? '' : '\n';
}

/** An item with the number of its new place. With more digits, the lines below its first would no longer belong to it. */
function renumbered(text: string, number: string | undefined): string {
  const [whole, indent, own] = /^(\s*)(\d{1,9})/.exec(text) ?? [];
  if (number === undefined || own === undefined) return text;
  if (own.length !== number.length && text.includes('\n')) return text;
  return `${indent}${number}${text.slice(whole!.length)}`;
}

/** Adds a copy of a block behind it. */
export function duplicateBlock(state: EditorState, block: Block): TransactionSpec {
  const insert = `${block.name === 'ListItem' ? '\n' : '\n\n'}${state.sliceDoc(block.from, block.to)}`;
  return { changes: { from: block.to, insert }, selection: { anchor: block.to + insert.length } };
}

/** Removes a block and the empty lines behind it, or before it if it is the last. */
export function deleteBlock(state: EditorState, { blocks, at }: BlockPlace): TransactionSpec {
  const { from, to } = blocks[at]!;
  const [before, next] = [blocks[at - 1], blocks[at + 1]];
  if (next) {
    const isApart =
      !before || missingLine(state.sliceDoc(before.to, from), blocks[at]!.name === 'ListItem') === '';
    return { changes: { from, to: next.from, insert: isApart ? '' : '\n' }, selection: { anchor: from } };
  }
  const start = before ? before.to : from;
  return { changes: { from: start, to }, selection: { anchor: start } };
}

export type BlockKind = 'text' | 'heading2' | 'heading3' | 'list' | 'numbers' | 'tasks' | 'quote' | 'callout';

/** What a block is, of the kinds that can become each other; null for tables, pictures, code and others. */
export function kindOf(state: EditorState, { name, from, to }: Block): BlockKind | null {
  const start = state.sliceDoc(from, Math.min(to, from + 200)).trimStart();
  if (name === 'Paragraph') return /^(!\[|\[\^)/.test(start) ? null : 'text';
  if (name === 'ATXHeading1' || name === 'ATXHeading2') return 'heading2';
  if (name.startsWith('ATXHeading')) return 'heading3';
  if (name === 'Blockquote') return /^>\s*\[!/.test(start) ? 'callout' : 'quote';
  if (!isList(name) && name !== 'ListItem') return null;
  if (/^[-*+] \[[ xX]\] /.test(start)) return 'tasks';
  return /^\d/.test(start) ? 'numbers' : 'list';
}

/** The changes that take the marks of a heading, list or quotation away. Each item becomes a paragraph. */
export function toText(state: EditorState, block: Block): ChangeSpec[] {
  const isOfItems = isList(block.name) || block.name === 'ListItem';
  return linesOf(state, block).flatMap((line, index, lines) => {
    const mark = block.name === 'Blockquote' ? /^\s*> ?(?:\[!\w+\] ?)?/ : markers;
    const [marked] = mark.exec(line.text) ?? [''];
    const isEmptied = marked.length === line.text.length && marked.includes('[!') && index < lines.length - 1;
    const before = isOfItems && index > 0 && line.text.trim() !== '' && lines[index - 1]!.text.trim() !== '';
    return {
      from: line.from,
      to: isEmptied ? line.to + 1 : line.from + marked.length,
      insert: before ? '\n' : '',
    };
  });
}

/** The changes that make a block a call-out, with a quotation mark before each line. */
export function toCallout(state: EditorState, block: Block): ChangeSpec[] {
  const isQuote = block.name === 'Blockquote';
  return linesOf(state, block).map((line, index) => ({
    from: line.from,
    to: line.from + (isQuote ? 0 : markers.exec(line.text)![0].length),
    insert: `${index === 0 ? '> [!NOTE]\n' : ''}${isQuote ? '' : '> '}`,
  }));
}

function linesOf({ doc }: EditorState, { from, to }: Block) {
  const lines = [];
  for (let { number } = doc.lineAt(from); number <= doc.lineAt(to).number; number += 1)
    lines.push(doc.line(number));
  return lines;
}
