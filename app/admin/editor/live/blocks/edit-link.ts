import { EditorSelection, type ChangeSpec, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { linkMarkdown, linkTarget } from '#app/admin/editor/live/media/text.ts';
import { parsedTree, partsIn, type Span } from './inline-parts.ts';
import { addressOf, linkKind } from './pointers.ts';

/** What somebody makes a link of: an existing link, chosen words, or a place in the text without any. */
export interface LinkPlace extends Span {
  isLink: boolean;
  address: string;
}

/** The link at a position, or null: written with brackets, or an address alone. */
export function linkAt(state: EditorState, from: number, to = from): LinkPlace | null {
  const tree = parsedTree(state, state.doc.lineAt(to).to);
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = tree.resolveInner(from, side); node; node = node.parent) {
      const isLink = node.name === 'Link' && linkKind(state, node) === 'address';
      const isAddress = node.name === 'Autolink' || (node.name === 'URL' && node.parent?.name !== 'Link');
      if ((!isLink && !isAddress) || node.from > from || node.to < to) continue;
      if (node.name === 'URL' && /^(?:Autolink|Image|LinkReference)$/.test(node.parent?.name ?? '')) continue;
      return { from: node.from, to: node.to, isLink: true, address: addressOf(state, node) ?? '' };
    }
  return null;
}

/** What a link is made of at the selection. Words of one line; marks that the selection cuts are in it as a whole. */
export function linkPlace(state: EditorState): LinkPlace {
  const { main } = state.selection;
  const link = linkAt(state, main.from, main.to);
  if (link) return link;
  const { text: line, from: start, to: end } = state.doc.lineAt(main.from);
  let [from, to] = [main.from, Math.min(main.to, end)];
  const chosen = line.slice(from - start, to - start);
  from += chosen.length - chosen.trimStart().length;
  to = Math.max(from, to - (chosen.length - chosen.trimEnd().length));
  for (const part of from < to ? partsIn(state, from, to) : []) {
    const isCut = part.from < to && part.to > from && (part.from < from || part.to > to);
    const isInside = part.open.to <= from && part.close.from >= to;
    if (part.name === 'Link' && part.from < to && part.to > from) return linkAt(state, part.from, part.to)!;
    if (isCut && !isInside && part.name !== 'SoftBreak')
      [from, to] = [Math.min(from, part.from), Math.max(to, part.to)];
  }
  return { from, to, isLink: false, address: '' };
}

/** The change that gives a link its address, or makes a link. The caret is behind new links, and else stays. */
export function setLink(
  state: EditorState,
  place: LinkPlace,
  { address, title }: { address: string; title: string },
): TransactionSpec {
  const { from, to, isLink } = place;
  if (!isLink) {
    const words = state.sliceDoc(from, to);
    const isPlain = partsIn(state, from, to).length === 0;
    const insert = isPlain ? linkMarkdown(words || title, address) : `[${words}](${linkTarget(address)})`;
    return { changes: { from, to, insert }, selection: EditorSelection.cursor(from + insert.length) };
  }
  const node = linkNode(state, place);
  if (!node) return {};
  const words = state.sliceDoc(from, to).replace(/^<|>$/g, '');
  let change: ChangeSpec;
  if (node.name !== 'Link') {
    const insert =
      /^https?:/i.test(address) && !/[\s<>]/.test(address) ? `<${address}>` : linkMarkdown(words, address);
    change = { from, to, insert };
  } else {
    const url = node.getChild('URL');
    const end = node.getChildren('LinkMark')[1];
    if (url) change = { from: url.from, to: url.to, insert: linkTarget(address) };
    else if (end) change = { from: end.to, to, insert: `(${linkTarget(address)})` };
    else return {};
  }
  const { head } = state.selection.main;
  return {
    changes: change,
    selection: { anchor: state.changes(change).mapPos(Math.min(Math.max(head, from), to), 1) },
  };
}

/** The change that keeps the words of a link and takes its address away. */
export function removeLink(state: EditorState, place: LinkPlace): TransactionSpec {
  const node = linkNode(state, place);
  const end = node?.getChildren('LinkMark')[1];
  if (!node || node.name !== 'Link' || !end) return {};
  const changes = [
    { from: node.from, to: node.from + 1 },
    { from: end.from, to: node.to },
  ];
  return {
    changes,
    selection: EditorSelection.cursor(state.changes(changes).mapPos(state.selection.main.head)),
  };
}

function linkNode(state: EditorState, { from, to }: Span): SyntaxNode | null {
  for (let node: SyntaxNode | null = parsedTree(state, to).resolveInner(from, 1); node; node = node.parent)
    if (node.from === from && node.to === to && /^(?:Link|Autolink|URL)$/.test(node.name)) return node;
  return null;
}

const scheme = /^(?:https?:\/\/|mailto:|tel:)\S/i;
const path = /^(?:\/(?!\/)|#|\.{1,2}\/)\S*$/;
const mail = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;
const host = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?$/u;

/** The address that somebody typed or pasted, completed; null for words to search for. */
export function readAddress(text: string): string | null {
  const typed = text.trim();
  if (scheme.test(typed) || path.test(typed)) return typed;
  if (mail.test(typed)) return `mailto:${typed}`;
  return host.test(typed) ? `https://${typed}` : null;
}
