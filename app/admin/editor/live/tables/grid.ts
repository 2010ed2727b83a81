import { redo, undo } from '@codemirror/commands';
import { WidgetType, type EditorView } from '@codemirror/view';
import { button, showMarks, element } from '#app/admin/editor/live/base/dom.ts';
import { leaveBlock } from '#app/admin/editor/live/base/paragraph.ts';
import { rightToLeft } from '#app/admin/editor/live/base/text-attributes.ts';
import { textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { inlineMarks, isForPage, toolOf } from '#app/admin/editor/live/base/tools.ts';
import { wordsOf } from '#app/admin/editor/live/base/words.ts';
import { directionOfText } from '#app/platform/text/languages.ts';
import { isForInputMethod } from '#app/ui/keys.ts';
import type { Words } from '#app/ui/words.ts';
import {
  gridActionsIn,
  rowAfterLast,
  rowBelow,
  type CellPosition,
  alignColumn,
  alignmentOf,
  cellText,
  setCell,
  toOneLine,
  type Alignment,
  type TableChange,
  type TableText,
} from './text.ts';

/** Shows a table as a grid instead of its Markdown. What is typed into a cell is written into the text at once. */
export class TableWidget extends WidgetType {
  constructor(readonly table: TableText) {
    super();
  }

  override eq(other: TableWidget): boolean {
    return other.table.text === this.table.text;
  }

  toDOM(view: EditorView): HTMLElement {
    return new Grid(view, this.table).box;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const grid = grids.get(dom);
    grid?.show(this.table);
    return grid !== undefined;
  }

  override get estimatedHeight(): number {
    return 40 * (this.table.rows.length + 1);
  }
}

const grids = new WeakMap<HTMLElement, Grid>();

/** Moves the caret into a grid's first or last row. @returns false if the element is not a grid */
export function enterGrid(dom: Element, from: 'above' | 'below'): boolean {
  const grid = dom instanceof HTMLElement ? grids.get(dom) : undefined;
  grid?.enter(from);
  return grid !== undefined;
}

class Grid {
  readonly box = element('div', { class: 'md-grid' });
  readonly #view: EditorView;
  #table: TableText;
  #at: CellPosition = { row: 0, column: 0 };
  #cells: HTMLTextAreaElement[][] = [];
  readonly #body: HTMLTableElement;
  readonly #alignment: HTMLSelectElement;
  /** The space of the tools, which stay below the table, or at the lower edge of the window in a longer table. */
  readonly #lane: HTMLElement;

  constructor(view: EditorView, table: TableText) {
    this.#view = view;
    this.#table = table;
    this.#alignment = alignmentChoice(wordsOf(view), (alignment) =>
      this.#change(alignColumn(this.#table, this.#at.column, alignment)),
    );
    this.#body = element('table', { 'aria-label': wordsOf(view)('Table') });
    this.#lane = element('div', { class: 'md-grid-lane' }, this.#tools());
    this.box.append(element('div', { class: 'md-grid-scroll' }, this.#body), this.#lane);
    this.box.addEventListener('keydown', (event) => this.#onKey(event));
    grids.set(this.box, this);
    this.#build();
  }

  /** Shows a new text of the same table. The cell in which somebody types keeps its caret. */
  show(table: TableText): void {
    const isSameShape = table.rows.length === this.#cells.length && table.columns === this.#cells[0]?.length;
    this.#table = table;
    if (!isSameShape) return this.#build();
    for (const [row, cells] of this.#cells.entries())
      for (const [column, cell] of cells.entries()) {
        const words = cellText(table, row, column);
        if (toOneLine(cell.value) !== words) showText(cell, words);
      }
    this.#showColumns();
  }

  /** Aligns each column as on the page, and names its cells by the column's heading for screen readers. */
  #showColumns(): void {
    const t = wordsOf(this.#view);
    for (const [row, cells] of this.#cells.entries())
      for (const [column, cell] of cells.entries()) {
        cell.parentElement!.dataset.align = alignmentOf(this.#table, column);
        const heading = cellText(this.#table, 0, column) || t('column {number}', { number: column + 1 });
        const name =
          row === 0 ? t('Heading of {heading}', { heading }) : t('{heading}, row {row}', { heading, row });
        cell.setAttribute('aria-label', name);
      }
    this.#alignment.value = alignmentOf(this.#table, this.#at.column);
  }

  enter(from: 'above' | 'below'): void {
    this.#focus({ row: from === 'above' ? 0 : this.#cells.length - 1, column: 0 });
  }

  #build(): void {
    const { rows, columns } = this.#table;
    const hadFocus = this.#body.contains(document.activeElement);
    this.#cells = rows.map((_, row) =>
      Array.from({ length: columns }, (_, column) => this.#cell({ row, column })),
    );
    const [head, ...lines] = this.#cells.map((cells, row) =>
      element('tr', {}, ...cells.map((cell) => element(row === 0 ? 'th' : 'td', {}, cell.parentElement!))),
    );
    this.#body.replaceChildren(element('thead', {}, head!), element('tbody', {}, ...lines));
    this.#at.column = Math.min(this.#at.column, columns - 1);
    this.#showColumns();
    if (hadFocus) this.#focus(this.#at);
  }

  #cell(position: CellPosition): HTMLTextAreaElement {
    const cell = element('textarea', { rows: '1' });
    // An invisible copy of the text under the field sizes the cell.
    const frame = element('span', { class: 'md-cell' }, cell);
    showText(cell, cellText(this.#table, position.row, position.column));
    cell.onfocus = () => this.#enter(position);
    cell.oninput = () => {
      frame.dataset.words = cell.value;
      if (toOneLine(cell.value) !== cellText(this.#table, position.row, position.column))
        this.#change(setCell(this.#table, position.row, position.column, cell.value));
    };
    cell.onblur = () => showText(cell, cellText(this.#table, position.row, position.column));
    return cell;
  }

  /** The buttons below the table. */
  #tools(): HTMLElement {
    const t = wordsOf(this.#view);
    const toMarkdown = () => {
      this.#view.dispatch({ selection: { anchor: this.#view.posAtDOM(this.box) } });
      this.#view.focus();
    };
    const buttons = this.#actions.map(({ sign, label, run }) =>
      button(t(sign), () => this.#run(run(this.#table, this.#at)), { name: t(label), keepsFocus: true }),
    );
    const named = { class: 'md-grid-tools', role: 'group', 'aria-label': t('Rows and columns') };
    const edit = button('Markdown', toMarkdown, { name: t('Edit the table as Markdown') });
    return element('div', named, ...buttons, this.#alignment, edit);
  }

  get #actions() {
    return gridActionsIn({ rightToLeft: this.#view.state.facet(rightToLeft) });
  }

  #run(done: { change: TableChange; at: CellPosition } | null): void {
    if (!done) return;
    this.#change(done.change);
    this.#focus(done.at);
  }

  #change({ from, to, insert }: TableChange): void {
    const start = this.#view.posAtDOM(this.box);
    this.#view.dispatch({
      changes: { from: start + from, to: start + to, insert },
      userEvent: 'input.type',
    });
  }

  /** Moves the text's caret to the table, so that undo scrolls there. The cell keeps the focus. */
  #enter(position: CellPosition): void {
    this.#at = position;
    this.#lane.style.bottom = `-${this.#lane.firstElementChild!.clientHeight}px`;
    this.#alignment.value = alignmentOf(this.#table, position.column);
    const anchor = this.#view.posAtDOM(this.box);
    const cell = this.#cells[position.row]?.[position.column];
    // The browser scrolls a focused field into view without room for the tools below it.
    this.#view.requestMeasure({
      read: () => undefined,
      write: () => cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    });
    if (this.#view.state.selection.main.head === anchor) return;
    this.#view.dispatch({ selection: { anchor }, effects: textFocused.of(false) });
  }

  #focus({ row, column }: CellPosition): void {
    this.#cells[row]?.[column]?.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (isForPage(event) && !isLinkKey(event)) return;
    event.stopPropagation();
    if (this.#runKey(event)) event.preventDefault();
  }

  /** Runs the action of a key. @returns false if the key has no action here */
  #runKey(event: KeyboardEvent): boolean {
    const { key, altKey, target } = event;
    if (isForInputMethod(event)) return false;
    if (key === 'Escape') return this.#leave(1);
    if (!(target instanceof HTMLTextAreaElement)) return false;
    const { row, column } = this.#at;
    if (event.ctrlKey || event.metaKey) {
      const mark = inlineMarks[toolOf(event) ?? 'undo'];
      if (mark) return toggleMark(target, mark);
      if (isLinkKey(event)) return linkWords(target);
      const command = { z: event.shiftKey ? redo : undo, y: redo }[key.toLowerCase()];
      return command ? (command(this.#view), true) : false;
    }
    const action = altKey ? this.#actions.find((each) => each.key === key) : undefined;
    if (action) return (this.#run(action.run(this.#table, this.#at)), true);
    const next = key === 'Tab' && !event.shiftKey ? rowAfterLast(this.#table, this.#at) : null;
    if (next) return (this.#run(next), true);
    if (key === 'Enter' && this.#cells[row + 1]) return (this.#focus({ row: row + 1, column }), true);
    if (key === 'Enter') return (this.#run(rowBelow(this.#table, this.#at)), true);
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || altKey || event.shiftKey || !isAtEdge(target, step)) return false;
    if (this.#cells[row + step]) return (this.#focus({ row: row + step, column }), true);
    return this.#leave(step);
  }

  /** Puts the caret below the table, or above it. */
  #leave(step: number): true {
    leaveBlock(this.#view, { from: this.#view.posAtDOM(this.box), length: this.#table.text.length }, step);
    return true;
  }
}

function alignmentChoice(t: Words, onChoose: (alignment: Alignment) => void): HTMLSelectElement {
  const choice = element('select', { 'aria-label': t('Column alignment') });
  const all: [Alignment, string][] = [
    ['', t('Default alignment')],
    ['left', t('Left')],
    ['center', t('Centered')],
    ['right', t('Right')],
  ];
  for (const [value, label] of all) choice.add(new Option(label, value));
  choice.onchange = () => onChoose(choice.value as Alignment);
  return choice;
}

/** Puts Markdown marks such as `**` around the selected words of a field, or removes them. */
export function toggleMark(cell: HTMLTextAreaElement | HTMLInputElement, mark: string): true {
  const { selectionStart, selectionEnd, value } = cell;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const size = mark.length;
  const isMarked = value.slice(from - size, from) === mark && value.slice(to, to + size) === mark;
  const words = value.slice(from, to);
  if (isMarked) cell.setRangeText(words, from - size, to + size, 'select');
  else {
    cell.setRangeText(`${mark}${words}${mark}`, from, to);
    cell.setSelectionRange(from + size, to + size);
  }
  cell.dispatchEvent(new Event('input'));
  return true;
}

/** Makes a link of the chosen words of a field, and chooses its address. */
export function linkWords(field: HTMLTextAreaElement | HTMLInputElement): true {
  const { selectionStart, selectionEnd, value } = field;
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const before = `[${value.slice(from, to)}](`;
  const address = 'https://';
  field.setRangeText(`${before}${address})`, from, to);
  const start = from + before.length;
  field.setSelectionRange(start, start + address.length);
  field.dispatchEvent(new Event('input'));
  return true;
}

/** True for Ctrl+K with chosen words; without any, it opens the palette of the page. */
function isLinkKey(event: KeyboardEvent): boolean {
  const { target } = event;
  const hasWords = target instanceof HTMLTextAreaElement && target.selectionStart !== target.selectionEnd;
  return hasWords && toolOf(event) === 'link';
}

/** True when an arrow key leaves the cell: at the end of its text for `step` 1, at the beginning for -1. */
function isAtEdge({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, step: number): boolean {
  if (selectionStart !== selectionEnd) return false;
  return step > 0 ? selectionEnd === value.length : selectionStart === 0;
}

/** Shows a text in a cell. The style sheet sizes the cell by `data-words`. */
function showText(cell: HTMLTextAreaElement, words: string): void {
  if (cell.value !== words) cell.value = words;
  cell.parentElement!.dataset.words = words;
  cell.dir = directionOfText(words) === null ? '' : 'auto';
  showMarks(cell.parentElement!, words);
}
