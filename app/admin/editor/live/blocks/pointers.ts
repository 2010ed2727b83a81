import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { MediaText } from '#app/admin/editor/live/media/text.ts';

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
  return {
    alt,
    src,
    length,
    caption: '',
    width: '',
    isDecorative: false,
    duration: '',
    poster: '',
    isReference: true,
  };
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
