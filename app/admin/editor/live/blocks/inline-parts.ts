import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState, Line } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';
import { readMedia } from '#app/admin/editor/live/media/text.ts';
import { footnoteStart, isFootnoteText, linkKind } from './pointers.ts';
import { softBreaksIn } from './soft-breaks.ts';

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
