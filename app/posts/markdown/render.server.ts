import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { decorate, type Heading } from './decorate.ts';
import { markDirections } from './direction.ts';
import { decorateEmbeds, type Embeds } from './embed-lines.ts';
import { decorateCode } from './fences.ts';
import { highlightCode } from './highlight.server.ts';
import { decorateMedia, type OwnImages } from './media.ts';
import { markdownToHtml, type ParseOptions } from './parser.ts';
import { renderMaths } from './render-math.server.ts';
import { convertUnsafeMarkup, schema } from './sanitize.ts';
import { countWords, plainTextOf } from './text.ts';

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
  const unsafe = fromParse5(parseFragment(html)) as Root;
  return sanitizer.runSync(unsafe);
}

function asSource(markdown: string): string {
  const escaped = markdown.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
  return `<pre>${escaped}</pre>`;
}
