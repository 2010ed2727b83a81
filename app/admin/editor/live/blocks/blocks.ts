import { syntaxTree } from '@codemirror/language';
import { Facet, Prec, StateField, type EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, EditorView, keymap, type Command, type DecorationSet } from '@codemirror/view';
import { Tree } from '@lezer/common';
import { textFocused } from '#app/admin/editor/live/base/text-focus.ts';
import { EmbedWidget, knownEmbeds, liveEmbeds } from '#app/admin/editor/live/media/embeds.ts';
import { GalleryWidget, type AddPictures } from '#app/admin/editor/live/media/gallery.ts';
import { readGallery } from '#app/admin/editor/live/media/text.ts';
import { enterGrid, TableWidget } from '#app/admin/editor/live/tables/grid.ts';
import { readTable } from '#app/admin/editor/live/tables/text.ts';
import { withUnparsed } from './inline-parts.ts';

/** Characters of a block. A longer block is shown as Markdown, since each keystroke parses the block again. */
const BLOCK_MAX = 20_000;

const addPictures = Facet.define<AddPictures, AddPictures>({
  combine: ([add]) => add ?? (() => undefined),
});

interface Blocks {
  hasFocus: boolean;
  shown: DecorationSet;
}

/** Shows tables, galleries and embeds as widgets while the caret is outside them. */
const blocksField = StateField.define<Blocks>({
  create: (state) => ({ hasFocus: false, shown: findBlocks(state, { hasFocus: false }) }),
  update(before, transaction) {
    const { state, startState, docChanged, selection } = transaction;
    let { hasFocus } = before;
    for (const effect of transaction.effects) if (effect.is(textFocused)) hasFocus = effect.value;
    const isSame =
      !docChanged &&
      !selection &&
      hasFocus === before.hasFocus &&
      startState.field(knownEmbeds, false) === state.field(knownEmbeds) &&
      syntaxTree(startState) === syntaxTree(state);
    if (isSame) return before;
    const shown = findBlocks(state, { hasFocus });
    return { hasFocus, shown: withUnparsed(state, shown, before.shown.map(transaction.changes)) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

/**
 * CodeMirror tells of a lost focus only later: after a tool's change by then, when the text may have it again. A caret
 * in a block that is shown would then be moved out of it.
 */
const noticeFocus = EditorView.updateListener.of(({ view, state }) => {
  const isUnnoticed = (of: EditorState) => view.hasFocus && of.field(blocksField, false)?.hasFocus === false;
  if (!isUnnoticed(state)) return;
  queueMicrotask(() => {
    if (isUnnoticed(view.state)) view.dispatch({ effects: textFocused.of(true) });
  });
});

function findBlocks(state: EditorState, { hasFocus }: Pick<Blocks, 'hasFocus'>): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  const tree = syntaxTree(state);
  for (const { name, from, to } of candidates(tree)) {
    if (to - from > BLOCK_MAX || (to === tree.length && to < state.doc.length)) continue;
    if (hasFocus && state.selection.ranges.some((range) => range.from <= to && range.to >= from)) continue;
    const widget =
      name === 'Table' ? tableAt(state, from, to) : (galleryAt(state, from, to) ?? embedAt(state, from, to));
    if (widget) decorations.push(Decoration.replace({ widget, block: true }).range(from, to));
  }
  return Decoration.set(decorations);
}

interface Candidate {
  name: string;
  from: number;
  to: number;
}

/**
 * Tables, and paragraphs that begin with a picture or an address. Each keystroke runs this over all blocks, so it
 * reads the syntax tree and not the text.
 */
function candidates(tree: Tree, start = 0, found: Candidate[] = []): Candidate[] {
  for (const [index, child] of tree.children.entries()) {
    if (!(child instanceof Tree)) continue;
    const from = start + tree.positions[index]!;
    const { name } = child.type;
    // The parser groups long lists of blocks under nodes without a name.
    if (child.type.isAnonymous) candidates(child, from, found);
    else if (name === 'Table' || (name === 'Paragraph' && blockStarts.has(firstName(child))))
      found.push({ name, from, to: from + child.length });
  }
  return found;
}

const blockStarts = new Set(['Image', 'URL', 'Autolink']);

/** The name of the syntax node at the beginning of a block; empty for text. */
function firstName({ children: [first], positions: [at] }: Tree): string {
  if (first === undefined || at !== 0) return '';
  if (first instanceof Tree) return first.type.name;
  // The parser stores small nodes as numbers: type, beginning, end.
  const [type, from] = first.buffer;
  return from === 0 ? first.set.types[type!]!.name : '';
}

function tableAt(state: EditorState, from: number, to: number): TableWidget | null {
  // An indented table stays Markdown: `readTable` needs whole lines.
  if (state.doc.lineAt(from).from !== from) return null;
  const table = readTable(state.sliceDoc(from, to));
  return table && new TableWidget(table);
}

function galleryAt(state: EditorState, from: number, to: number): GalleryWidget | null {
  const text = state.sliceDoc(from, to);
  const pictures = state.doc.lineAt(from).from === from ? readGallery(text) : null;
  return pictures && new GalleryWidget(text, pictures, state.facet(addPictures));
}

function embedAt(state: EditorState, from: number, to: number): EmbedWidget | null {
  const embed = state.field(knownEmbeds).get(state.sliceDoc(from, to).replace(/^<|>$/g, ''));
  return embed ? new EmbedWidget(embed) : null;
}

/** Whether a table or a gallery is shown instead of the Markdown that begins here. */
export function isShownAsBlock(state: EditorState, from: number): boolean {
  let isShown = false;
  state.field(blocksField, false)?.shown.between(from, from, (start) => {
    isShown ||= start === from;
  });
  return isShown;
}

/** The caret's position. While somebody edits the cells of a table, the end of that table. */
export function caretPosition(state: EditorState): number {
  const { head } = state.selection.main;
  let position = head;
  state.field(blocksField, false)?.shown.between(head, head, (from, to, { spec }) => {
    if (from === head && (spec as { widget: unknown }).widget instanceof TableWidget) position = to;
  });
  return position;
}

/** Moves the caret into the grid that begins at a position. @returns false if no grid begins there */
export function enterTableAt(view: EditorView, at: number, from: 'above' | 'below'): boolean {
  const dom = [...view.contentDOM.querySelectorAll('.md-grid')].find(
    (element) => view.posAtDOM(element) === at,
  );
  return dom !== undefined && enterGrid(dom, from);
}

/** Moves the caret from the text into the table above or below the caret's line. */
const enterFrom =
  (direction: 'above' | 'below'): Command =>
  (view) => {
    const { main } = view.state.selection;
    if (!main.empty) return false;
    const forward = direction === 'above';
    const next = view.moveVertically(main, forward);
    const line = view.state.doc.lineAt(main.head);
    let entered = false;
    view.state
      .field(blocksField)
      .shown.between(Math.min(next.head, line.from), Math.max(next.head, line.to), (from, to) => {
        const isNext = forward
          ? from === line.to + 1 && next.head >= from
          : to === line.from - 1 && next.head <= to;
        if (!isNext) return;
        entered = enterTableAt(view, from, direction);
        return false;
      });
    return entered;
  };

/**
 * Backspace at the beginning of a paragraph below a table moves the caret into the table. Without the blank line between
 * them, the paragraph would be a row.
 */
const backIntoTable: Command = (view) => {
  const { doc, selection } = view.state;
  const { main } = selection;
  const line = doc.lineAt(main.head);
  if (!main.empty || main.head !== line.from || line.number === 1) return false;
  const above = doc.line(line.number - 1);
  const end = (above.text === '' && line.text !== '' ? above.from : line.from) - 1;
  let entered = false;
  view.state.field(blocksField).shown.between(Math.max(0, end), Math.max(0, end), (from, to) => {
    if (to === end) entered = enterTableAt(view, from, 'below');
  });
  return entered;
};

/**
 * Shows tables as grids, galleries as pictures, and films and posts of other sites as readers see them.
 * @param findUrl the route that describes the film or post of an address
 */
export function liveBlocks(add: AddPictures, findUrl: string): Extension {
  return [
    liveEmbeds(findUrl),
    addPictures.of(add),
    blocksField,
    noticeFocus,
    EditorView.focusChangeEffect.of((_state, isFocused) => textFocused.of(isFocused)),
    Prec.high(
      keymap.of([
        { key: 'ArrowDown', run: enterFrom('above') },
        { key: 'ArrowUp', run: enterFrom('below') },
        { key: 'Backspace', run: backIntoTable },
      ]),
    ),
  ];
}
