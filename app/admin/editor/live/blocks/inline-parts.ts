import { syntaxTree, ensureSyntaxTree } from '@codemirror/language';
import {
  type EditorState,
  type Range,
  RangeSetBuilder,
  StateField,
  type Text,
  type Line,
} from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { type SyntaxNode, Tree } from '@lezer/common';
import { element } from '#app/admin/editor/live/base/dom.ts';
import { type MediaText, PLAIN, readMedia } from '#app/admin/editor/live/media/text.ts';

/** The target of a footnote's reference or of a link in the text. */
export type Pointer = { from: number; to: number } & (
  | { kind: 'note'; label: string; /** Null if no note has this label. */ note: Note | null }
  | { kind: 'link'; address: string }
);

interface Note {
  text: string;
  at: number;
}

/** What brackets become on the page: a link, a footnote, the kind of a call-out, or plain text. */
export function linkKind(state: EditorState, link: SyntaxNode): 'address' | 'note' | 'callout' | 'words' {
  const text = state.sliceDoc(link.from, link.to);
  if (text.startsWith('[^')) return 'note';
  if (link.getChild('URL') || addressOf(state, link) !== null) return 'address';
  const isFirst = /^[\s>]*$/.test(state.sliceDoc(state.doc.lineAt(link.from).from, link.from));
  return /^\[![a-z]+\]$/i.test(text) && isFirst ? 'callout' : 'words';
}

/** The pointer at a position of the text, or null. */
export function pointerAt(state: EditorState, at: number): Pointer | null {
  const tree = syntaxTree(state);
  const node = pointerAround(tree.resolveInner(at, -1)) ?? pointerAround(tree.resolveInner(at, 1));
  if (!node) return null;
  const { from, to } = node;
  const text = state.sliceDoc(from, to);
  const [, label] = /^\[\^([^\]\s]+)\]/.exec(text) ?? [];
  // The label that begins a note is not a reference.
  if (label !== undefined && isFootnoteText(state, from)) return null;
  if (label !== undefined) return { from, to, kind: 'note', label, note: findNote(state, label) };
  const address = addressOf(state, node);
  return address === null ? null : { from, to, kind: 'link', address };
}

function pointerAround(node: SyntaxNode): SyntaxNode | null {
  for (let current: SyntaxNode | null = node; current; current = current.parent) {
    if (current.name === 'Link' || current.name === 'Autolink') return current;
    if (current.name === 'URL' && current.parent?.name === 'Paragraph') return current;
  }
  return null;
}

/**
 * The address of a link or picture, which may be defined elsewhere by a label; null for brackets without an address.
 */
export function addressOf(state: EditorState, node: SyntaxNode): string | null {
  const url = node.name === 'URL' ? node : node.getChild('URL');
  if (url) return state.sliceDoc(url.from, url.to).replace(/^<|>$/g, '');
  const label = node.getChild('LinkLabel');
  const text = label ? state.sliceDoc(label.from, label.to) : state.sliceDoc(node.from, node.to);
  // `[words][]` has the address that is defined for its words.
  const name = text === '[]' ? state.sliceDoc(node.from + 1, label!.from - 1) : text.slice(1, -1);
  const definition = new RegExp(`^ {0,3}\\[${escaped(name)}\\]:\\s*<?([^\\s>]+)`, 'im');
  return definition.exec(state.sliceDoc())?.[1] ?? null;
}

function findNote(state: EditorState, label: string): Note | null {
  const match = new RegExp(`^ {0,3}\\[\\^${escaped(label)}\\]:[ \\t]*`, 'm').exec(state.sliceDoc());
  if (!match) return null;
  const at = match.index + match[0].length;
  const following = state.sliceDoc(at, at + 600);
  // The note ends before the next paragraph that is not indented.
  const text = /^[^\n]*(?:\n(?!\s*\n|\[\^)[^\n]+)*/.exec(following)![0];
  return { text: text.replace(/\s+/g, ' ').trim(), at };
}

/** The picture of `![alt][label]`, whose address is defined elsewhere; null for any other node. */
export function readPictureReference(state: EditorState, node: SyntaxNode): MediaText | null {
  const label = node.getChild('LinkLabel');
  const src = label && addressOf(state, node);
  if (!src) return null;
  const alt = state.sliceDoc(node.from + 2, label.from - 1);
  const length = node.to - node.from;
  return { ...PLAIN, alt, src, length, isReference: true };
}

/** The first line of a footnote's text; its group is the reference, `[^1]`. */
export const footnoteStart = /^ {0,3}(\[\^[^\]\s]+\]):/;

/** True when a `[^…]` begins a footnote's text, and is not a reference to it. */
export function isFootnoteText(state: EditorState, from: number): boolean {
  const line = state.doc.lineAt(from);
  return footnoteStart.test(line.text) && state.sliceDoc(line.from, from).trim() === '';
}

function escaped(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Keeps the earlier decorations where a slow machine has not parsed the text yet. Otherwise a table or a picture would
 * become Markdown for a moment, and whoever writes in its cells or its caption would lose the focus.
 */
export function withUnparsed(
  state: EditorState,
  shown: DecorationSet,
  earlier: DecorationSet,
): DecorationSet {
  const { length } = syntaxTree(state);
  if (length >= state.doc.length) return shown;
  const add: Range<Decoration>[] = [];
  earlier.between(length, state.doc.length, (from, to, block) => {
    if (from >= length) add.push(block.range(from, to));
  });
  return shown.update({ add, sort: true });
}

/** A line feed within a paragraph is a space on the page. */
class SpaceWidget extends WidgetType {
  toDOM(): HTMLElement {
    return element('span', { class: 'md-space' }, ' ');
  }
}

const space = Decoration.replace({ widget: new SpaceWidget() });

/** Shows the line feeds within paragraphs as spaces. */
export const softBreaks = StateField.define<DecorationSet>({
  create: findSoftBreaks,
  update(before, { state, startState, docChanged, changes }) {
    if (!docChanged && syntaxTree(startState) === syntaxTree(state)) return before;
    return withUnparsed(state, findSoftBreaks(state), before.map(changes));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The line feeds that touch a range and are shown as spaces, each with the indent of the next line. */
export function softBreaksIn(state: EditorState, from: number, to: number): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  state.field(softBreaks, false)?.between(from, to, (from, to) => void spans.push({ from, to }));
  return spans;
}

function findSoftBreaks(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  addBlocks(syntaxTree(state), 0, state.doc, builder);
  return builder.finish();
}

/** The breaks of each block, from its beginning. The parser keeps the trees of blocks that did not change. */
const known = new WeakMap<Tree, readonly (readonly [number, number])[]>();

function addBlocks(tree: Tree, start: number, doc: Text, builder: RangeSetBuilder<Decoration>): void {
  for (const [index, child] of tree.children.entries()) {
    if (!(child instanceof Tree)) continue;
    const from = start + tree.positions[index]!;
    if (child.type.isAnonymous) {
      addBlocks(child, from, doc, builder);
      continue;
    }
    let breaks = known.get(child);
    if (!breaks) known.set(child, (breaks = breaksOf(child, from, doc)));
    for (const [at, end] of breaks) builder.add(from + at, from + end, space);
  }
}

function breaksOf(block: Tree, start: number, doc: Text): [number, number][] {
  const breaks: [number, number][] = [];
  block.iterate({
    enter: ({ name, from, to, node }) => {
      // Enter in a quotation begins a line with its mark, so its lines stay as they are.
      if (name === 'Blockquote') return false;
      if (name !== 'Paragraph' && name !== 'Task') return true;
      const hard: number[] = [];
      node.cursor().iterate((inner) => void (inner.name === 'HardBreak' && hard.push(start + inner.to)));
      addParagraph({ from: start + from, to: start + to, hard });
      return false;
    },
  });
  return breaks;

  function addParagraph({ from, to, hard }: { from: number; to: number; hard: number[] }): void {
    const text = doc.sliceString(from, to);
    // A formula, and pictures one below the other, are blocks on the page.
    if (!text.includes('\n') || /^\s*(?:\$\$|!\[)/.test(text)) return;
    for (const {
      index,
      0: { length },
    } of text.matchAll(/\n[ \t]*/g)) {
      const [at, end] = [from + index, from + index + length];
      const next = text.slice(index + length);
      // A footnote, and the row of a table that is being typed.
      const isLine = footnoteStart.test(next) || next.startsWith('|');
      if (isLine || hard.some((each) => each > at && each <= end)) continue;
      breaks.push([at - start, end - start]);
    }
  }
}

export interface Span {
  from: number;
  to: number;
}

/** A part of a line of which something is hidden: its marks around a visible text, or all of it. */
export interface Part extends Span {
  name: string;
  /**
   * `format`: what is typed at an edge may get the look of the part. `link`: it does not. `whole`: there is no visible
   * text between marks, so the caret is before or behind the part.
   */
  kind: 'format' | 'link' | 'whole';
  open: Span;
  /** Empty for `whole`, whose opening mark is all of it. */
  close: Span;
}

const formats = new Set(['Emphasis', 'StrongEmphasis', 'Strikethrough', 'InlineCode']);

/** The syntax tree, parsed at least up to a position. */
export function parsedTree(state: EditorState, to: number): Tree {
  return ensureSyntaxTree(state, to, Infinity) ?? syntaxTree(state);
}

/** The parts that touch a range, outer ones before those inside them. */
export function partsIn(state: EditorState, from: number, to: number): Part[] {
  const parts: Part[] = softBreaksIn(state, from, to).map((span) => whole('SoftBreak', span));
  parsedTree(state, state.doc.lineAt(to).to).iterate({
    // A picture's width is behind its node.
    from: state.doc.lineAt(from).from,
    to: Math.min(state.doc.length, to + 1),
    enter: ({ node }) => {
      const part = partOf(state, node);
      if (part && part.from <= to && part.to >= from) parts.push(part);
      return part?.kind !== 'whole';
    },
  });
  return parts;
}

function partOf(state: EditorState, node: SyntaxNode): Part | null {
  const { name, from, to, firstChild, lastChild } = node;
  // An address that stands in the text is edited in the field of links.
  if (name === 'Escape' || name === 'HardBreak' || name === 'Autolink') return whole(name, { from, to });
  if (name === 'Image') {
    const length = readMedia(state.sliceDoc(from, state.doc.lineAt(from).to))?.length ?? 0;
    return whole(name, { from, to: Math.max(to, from + length) });
  }
  if (!firstChild || !lastChild) return null;
  if (formats.has(name))
    return { name, kind: 'format', from, to, open: spanOf(firstChild), close: spanOf(lastChild) };
  if (name !== 'Link') return null;
  const kind = linkKind(state, node);
  if (kind === 'words' || (kind === 'note' && isFootnoteText(state, from))) return null;
  const end = node.getChildren('LinkMark')[1];
  // The words of `[words]` and `[words][]` are the name of their address.
  const isNamed = node.getChild('URL') ?? node.getChild('LinkLabel');
  if (kind !== 'address' || !end || !isNamed || state.sliceDoc(end.to, to) === '[]')
    return whole(name, { from, to });
  return { name, kind: 'link', from, to, open: spanOf(firstChild), close: { from: end.from, to } };
}

function spanOf({ from, to }: Span): Span {
  return { from, to };
}

function whole(name: string, { from, to }: Span): Part {
  return { name, kind: 'whole', from, to, open: { from, to }, close: { from: to, to } };
}

const lineMarks = new Set(['HeaderMark', 'QuoteMark', 'ListMark', 'TaskMarker']);

/** Where the words of a line begin, behind the marks of its heading, quotation, list item or footnote. */
export function startOfWords(state: EditorState, { from, to, text }: Line): number {
  const [note] = footnoteStart.exec(text) ?? [];
  let end = from;
  const add = (markEnd: number) => {
    end = markEnd + (/^[ \t]/.test(state.sliceDoc(markEnd, markEnd + 1)) ? 1 : 0);
  };
  if (note !== undefined) add(from + note.length);
  parsedTree(state, to).iterate({
    from,
    to,
    enter: ({ name, from: start, to: markEnd }) => {
      if (lineMarks.has(name) && start >= end && state.sliceDoc(end, start).trim() === '') add(markEnd);
    },
  });
  return end;
}
