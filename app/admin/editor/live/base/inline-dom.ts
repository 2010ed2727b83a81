import type { Element as Mark, MarkdownParser } from '@lezer/markdown';
import { pageMarkdown } from './page-markdown.ts';

const parser = pageMarkdown.parser as MarkdownParser;
const elements: Record<string, string> = {
  StrongEmphasis: 'strong',
  Emphasis: 'em',
  Strikethrough: 'del',
  InlineCode: 'code',
  Link: 'u',
  Autolink: 'u',
};
/** Parts that the page does not show. */
const hidden = new Set([
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'LinkMark',
  'LinkTitle',
  'LinkLabel',
]);

/** One line of Markdown as the page shows it: emphasis, code, links and escaped characters without their marks. */
export function inlineDom(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  append(fragment, { text, marks: parser.parseInline(text, 0), from: 0, to: text.length });
  return fragment;
}

interface Part {
  text: string;
  marks: readonly Mark[];
  from: number;
  to: number;
}

function append(parent: Node, { text, marks, from, to }: Part): void {
  let at = from;
  for (const mark of marks) {
    parent.appendChild(document.createTextNode(text.slice(at, mark.from)));
    at = mark.to;
    appendMark(parent, text, mark);
  }
  parent.appendChild(document.createTextNode(text.slice(at, to)));
}

function appendMark(parent: Node, text: string, mark: Mark): void {
  const name = nameOf(mark);
  const { from, to, children } = mark as Mark & { children: readonly Mark[] };
  const isLink = name === 'Link' || name === 'Autolink';
  const hasAddress = children.some((child) => nameOf(child) === 'URL');
  if (hidden.has(name) || (name === 'URL' && nameOfLink(parent) === 'Link')) return;
  if (name === 'Escape') parent.appendChild(document.createTextNode(text.slice(from + 1, to)));
  // Brackets without an address are plain text.
  else if (elements[name] && (!isLink || hasAddress)) {
    const element = document.createElement(elements[name]);
    if (isLink) element.dataset.link = name;
    append(element, { text, marks: children, from, to });
    parent.appendChild(element);
  } else parent.appendChild(document.createTextNode(text.slice(from, to)));
}

function nameOf({ type }: Mark): string {
  return parser.nodeSet.types[type]!.name;
}

function nameOfLink(parent: Node): string | undefined {
  return parent instanceof HTMLElement ? parent.dataset.link : undefined;
}
