import type { Root, Element, Nodes } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { directionOfText } from '#app/platform/text/direction.ts';
import { parseHtml } from '#app/platform/text/hast.ts';
import { directionOf } from '#app/platform/text/supported-languages.ts';
import { decorate, type Heading } from './decorate.ts';
import { decorateEmbeds, type Embeds } from './embed-lines.ts';
import { decorateCode } from './fences.ts';
import { highlightCode } from './highlight.server.ts';
import { decorateMedia, type OwnImages } from './media.ts';
import { markdownToHtml, type ParseOptions } from './parser.ts';
import { renderMaths } from './render-math.server.ts';
import { convertUnsafeMarkup, schema } from './sanitize.ts';
import { countWords, plainTextOf } from './text.ts';
import { walkElements } from './walk.ts';

export type { Heading } from './decorate.ts';
export type { OwnImages } from './media.ts';

/** A post's body, ready for pages, feeds and search. */
export interface RenderedMarkdown {
  /** Safe in any page of ours: no script, style, handler or foreign id (docs/markdown.md). */
  html: string;
  tableOfContents: Heading[];
  /** The text without markup, code included. */
  plainText: string;
  /** Number of words; of characters in scripts that do not separate words. */
  wordCount: number;
  /** Addresses of images, films and sounds, as they are in the text. */
  media: string[];
}

export interface Rendering {
  workers: {
    /** Renders a post's body, in a server outside the thread that answers requests. */
    renderMarkdown(markdown: string, options: RenderOptions): Promise<RenderedMarkdown>;
  };
}

export interface RenderOptions extends ParseOptions {
  /** Origin of the site: links elsewhere are marked as external. */
  siteUrl?: string;
  /** Gives own uploads their `width`, `height` and `srcset`. */
  ownImages?: OwnImages;
  /** How to show addresses of films, maps and posts elsewhere. */
  embeds?: Embeds;
}

/**
 * Renders CommonMark with GFM, footnotes and raw HTML to safe, highlighted HTML. Never throws; a text that would
 * expand without bounds is shown as its source.
 */
export async function renderMarkdown(
  markdown: string,
  options: RenderOptions = {},
): Promise<RenderedMarkdown> {
  try {
    return await renderHtml(markdownToHtml(markdown, options) ?? asSource(markdown), options);
  } catch (error) {
    // A tree that is too deep or wide for the stack: the libraries walk it by recursion.
    if (!(error instanceof RangeError)) throw error;
    return renderHtml(asSource(markdown), options);
  }
}

async function renderHtml(html: string, options: RenderOptions): Promise<RenderedMarkdown> {
  const tree = safeTree(html);
  const plainText = plainTextOf(tree);
  const tableOfContents = decorate(tree, options);
  const media = decorateMedia(tree, options);
  decorateEmbeds(tree, options.embeds);
  await highlightCode(tree);
  decorateCode(tree);
  markDirections(tree, options.language);
  await renderMaths(tree);
  return {
    html: stringifier.stringify(tree).trim(),
    tableOfContents,
    plainText,
    wordCount: countWords(plainText),
    media,
  };
}

const sanitizer = unified().use(convertUnsafeMarkup).use(rehypeSanitize, schema);
const stringifier = unified().use(rehypeStringify);

function safeTree(html: string): Root {
  // Parses as browsers do. Without positions, which took half of the time.
  const unsafe = parseHtml(html);
  return sanitizer.runSync(unsafe);
}

function asSource(markdown: string): string {
  const escaped = markdown.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
  return `<pre>${escaped}</pre>`;
}

const blocks = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote'],
  ...['table', 'th', 'td', 'caption', 'figcaption', 'summary'],
]);

/**
 * Lets the browser find the direction of each block that is written in another direction than the post. A block whose
 * author has set a direction keeps it, and so does everything in it.
 */
function markDirections(tree: Root, language = 'en'): void {
  const usual = directionOf(language) ?? 'ltr';
  /** The elements with a direction of their own, and those within. */
  const own = new Set<Element>();
  const directions = new Map<Nodes, 'ltr' | 'rtl' | null>();
  walkElements(tree, (node, parent) => {
    if (parent.type === 'element' && own.has(parent)) own.add(node);
    if (node.properties.dir !== undefined) own.add(node);
    if (own.has(node) || !blocks.has(node.tagName)) return;
    const direction = firstDirection(node, directions);
    if (direction !== null && direction !== usual) node.properties.dir = 'auto';
  });
}

/** The direction of the first letter in a node. Each node is read once: blocks stand within blocks. */
function firstDirection(node: Nodes, known: Map<Nodes, 'ltr' | 'rtl' | null>): 'ltr' | 'rtl' | null {
  if (node.type === 'text') return directionOfText(node.value);
  if (node.type !== 'element' || node.tagName === 'pre' || node.tagName === 'code') return null;
  const before = known.get(node);
  if (before !== undefined) return before;
  let direction: 'ltr' | 'rtl' | null = null;
  for (const child of node.children) if ((direction = firstDirection(child, known)) !== null) break;
  known.set(node, direction);
  return direction;
}
