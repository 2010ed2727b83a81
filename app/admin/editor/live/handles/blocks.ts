import { syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView, Rect } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { dispatchInput } from '#app/admin/editor/live/base/text-focus.ts';
import { tools } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { commands } from '#app/admin/editor/live/commands.ts';
import { markers } from '#app/admin/editor/live/marks.ts';
import { iconOutline, type IconName } from '#app/ui/icon.tsx';

/** A paragraph, heading, table, picture … or one item of a list: whole lines, without the line feed behind them. */
interface Block {
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

type BlockKind = 'text' | 'heading2' | 'heading3' | 'list' | 'numbers' | 'tasks' | 'quote' | 'callout';

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

interface Item {
  label: string;
  icon: IconName;
  key?: string;
  run: () => void;
}

const kinds: readonly BlockKind[] = [
  'text',
  'heading2',
  'heading3',
  'list',
  'numbers',
  'tasks',
  'quote',
  'callout',
];

/** Opens the menu of the block at a position: move, duplicate, turn into another kind, delete. */
export function openBlockMenu(view: EditorView, at: number, handle: Rect): void {
  const t = wordsOf(view);
  const place = placeOf(view.state, at);
  if (!place) return;
  const block = place.blocks[place.at]!;
  const named = { class: 'md-block-menu bar-menu', role: 'menu', 'aria-label': t('Block') };
  const menu = element('div', { ...named, popover: 'auto' });
  const input = (spec: TransactionSpec | null) => spec && dispatchInput(view, spec);
  const items: Item[] = [
    {
      label: t('Move up'),
      icon: 'up',
      key: 'Alt ↑',
      run: () => input(moveBlock(view.state, place, place.at - 1)),
    },
    {
      label: t('Move down'),
      icon: 'down',
      key: 'Alt ↓',
      run: () => input(moveBlock(view.state, place, place.at + 2)),
    },
    { label: t('Duplicate'), icon: 'copy', run: () => input(duplicateBlock(view.state, block)) },
    { label: t('Delete'), icon: 'trash', run: () => input(deleteBlock(view.state, place)) },
  ];
  if (place.at === place.blocks.length - 1) items.splice(1, 1);
  if (place.at === 0) items.splice(0, 1);
  const kind = kindOf(view.state, block);
  const others = kind === null ? [] : kinds.filter((other) => other !== kind);
  const turns = others.map((other): Item => {
    const tool = tools.find(({ name }) => name === other);
    const icon = tool?.icon ?? tool?.menuIcon ?? 'posts';
    return { label: t(tool?.label ?? 'Text'), icon, run: () => turnInto(view, block, other) };
  });
  const close = () => menu.hidePopover();
  const buttonOf = ({ label, icon, key, run }: Item) => {
    const button = element('button', { type: 'button', role: 'menuitem', tabindex: '-1' });
    button.innerHTML = iconOutline(icon);
    button.append(element('span', {}, label), ...(key ? [element('kbd', {}, key)] : []));
    button.onclick = () => {
      close();
      view.focus();
      // The text may have changed since the menu was opened, such as by another device.
      const now = blockAt(view.state, Math.min(block.from, view.state.doc.length));
      if (now?.from === block.from && now.to === block.to) run();
    };
    return button;
  };
  menu.append(...items.map(buttonOf));
  if (turns.length > 0) {
    const name = t('Turn into');
    menu.append(
      element('p', { class: 'hint', 'aria-hidden': 'true' }, name),
      element('div', { role: 'group', 'aria-label': name }, ...turns.map(buttonOf)),
    );
  }
  menu.onkeydown = (event) =>
    moveInMenu(event, menu, () => {
      close();
      view.focus();
    });
  menu.addEventListener('toggle', (event) => {
    if (event.newState === 'closed') menu.remove();
  });
  view.dom.append(menu);
  menu.showPopover();
  placeBeside(menu, handle);
  menu.querySelector('button')?.focus({ preventScroll: true });
}

function moveInMenu(event: KeyboardEvent, menu: HTMLElement, leave: () => void): void {
  event.stopPropagation();
  const buttons = [...menu.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') leave();
  else if (next !== undefined) buttons.at(next % buttons.length)?.focus();
  else return;
  event.preventDefault();
}

/** Below the handle, or above it where the window ends. */
function placeBeside(menu: HTMLElement, { top, bottom, left, right }: Rect): void {
  const { width, height } = menu.getBoundingClientRect();
  const isRtl = getComputedStyle(menu).direction === 'rtl';
  const x = isRtl ? right - width : left;
  const y = bottom + height > innerHeight ? Math.max(8, Math.min(top, innerHeight - 8) - height) : bottom;
  menu.style.left = `${Math.min(Math.max(8, x), innerWidth - width - 8)}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
}

function turnInto(view: EditorView, block: Block, kind: BlockKind): void {
  const { state } = view;
  let { to } = block;
  if (kind === 'text' || kind === 'callout' || block.name === 'Blockquote') {
    const changes = state.changes(kind === 'callout' ? toCallout(state, block) : toText(state, block));
    to = changes.mapPos(to, 1);
    dispatchInput(view, { changes, selection: { anchor: to } });
    if (kind === 'text' || kind === 'callout') return;
  }
  view.dispatch({ selection: { anchor: block.from, head: to } });
  commands[kind]!(view);
  view.dispatch({ selection: { anchor: view.state.selection.main.to } });
}
