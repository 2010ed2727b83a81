import type { Root, Element, Nodes, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import type { HighlighterCore, ThemedToken } from 'shiki/core';
import type { BundledLanguage, bundledLanguages as Languages } from 'shiki/langs';
import { unified } from 'unified';
import { directionOfText, directionOf } from '#app/platform/text/languages.ts';
import { parseHtml, element, textNode } from '#app/platform/text/hast.ts';
import { decorate, type Heading, decorateMedia, type OwnImages } from './decorate.ts';
import { decorateEmbeds, type Embeds } from './embeds.ts';
import { decorateCode } from './fences.ts';
import { markdownToHtml, type ParseOptions } from './parser.ts';
import { convertUnsafeMarkup, schema } from './sanitize.ts';
import { countWords, plainTextOf } from './text.ts';
import { walkElements } from './walk.ts';

export type { Heading } from './decorate.ts';
export type { OwnImages } from './decorate.ts';

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
    /**
     * Renders a post's body, in a server outside the thread that answers requests.
     * @throws AppError `invalid_input` on the field `body` when rendering takes too long; `unavailable` when too many
     *   texts wait
     */
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

// A longer block is data, and highlighting it would delay the save.
const MAX_BLOCK = 60_000;
const MAX_LINE = 2_000;
const MAX_POST = 400_000;
// Milliseconds of real time. The highlighter's default of half a second can end on a busy machine before the grammar is
// compiled; then the code would never be highlighted.
const MAX_LINE_MS = 5_000;

/**
 * Highlights code blocks whose language is known: `<span class="hl-…">`, no styles; `app/site/styles/code.css` gives
 * the classes their colours. Loads the highlighter and each language at first use.
 */
async function highlightCode(tree: Root): Promise<void> {
  const found: { code: Element; language: string; text: string }[] = [];
  walkElements(tree, (node) => {
    if (node.tagName !== 'pre') return;
    const code = node.children.find((child): child is Element => child.type === 'element');
    const language = code?.tagName === 'code' ? languageOf(code) : undefined;
    if (code && language) found.push({ code, language, text: toString(code) });
  });
  if (found.length === 0) return;
  const { bundledLanguages } = await import('shiki/langs');
  let left = MAX_POST;
  for (const { code, language, text } of found) {
    if (text.length > Math.min(MAX_BLOCK, left) || !Object.hasOwn(bundledLanguages, language)) continue;
    const highlighter = await withLanguage(bundledLanguages, language as BundledLanguage);
    left -= text.length;
    code.children = highlighter
      .codeToTokensBase(text, {
        lang: language,
        theme: THEME,
        tokenizeMaxLineLength: MAX_LINE,
        tokenizeTimeLimit: MAX_LINE_MS,
      })
      .flatMap((line, index): ElementContent[] => {
        const spans = line.map(asSpan);
        return index === 0 ? spans : [{ type: 'text', value: '\n' }, ...spans];
      });
  }
}

/** `rust` of `class="language-rust,ignore"`. */
function languageOf(code: Element): string | undefined {
  const names = Array.isArray(code.properties.className) ? code.properties.className : [];
  const name = names.map(String).find((value) => value.startsWith('language-'));
  return (
    name
      ?.slice('language-'.length)
      .split(/[,{:;\s]/)[0]!
      .toLowerCase() || undefined
  );
}

function asSpan({ content, color, fontStyle }: ThemedToken): ElementContent {
  const text = textNode(content);
  const kind = /--hl-token-([a-z-]+)/.exec(color ?? '')?.[1];
  const className = [
    ...(kind ? [`hl-${kind}`] : []),
    ...(fontStyle && fontStyle > 0 ? fontClasses.filter((_, bit) => fontStyle & (1 << bit)) : []),
  ];
  if (className.length === 0) return text;
  return element('span', { className }, [text]);
}

// In the order of the highlighter's bits.
const fontClasses = ['hl-italic', 'hl-bold', 'hl-underline', 'hl-struck'];

const THEME = 'classes';
let highlighter: Promise<HighlighterCore> | undefined;
const loadedLanguages = new Set<string>();

async function withLanguage(languages: typeof Languages, name: BundledLanguage): Promise<HighlighterCore> {
  highlighter ??= createHighlighter();
  const loaded = await highlighter;
  if (!loadedLanguages.has(name)) await loaded.loadLanguage(languages[name]);
  loadedLanguages.add(name);
  return loaded;
}

async function createHighlighter(): Promise<HighlighterCore> {
  const { createCssVariablesTheme, createHighlighterCore } = await import('shiki/core');
  const { createOnigurumaEngine } = await import('shiki/engine/oniguruma');
  return createHighlighterCore({
    // The theme's “colours” are names of kinds of token, which become classes.
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--hl-', fontStyle: true })],
    langs: [],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  });
}

/** The characters of all formulas that are rendered in a post. Later formulas are shown as typed. */
const CHARACTERS_MAX = 40_000;

/**
 * Renders formulas as MathML, which browsers draw without a stylesheet, a font or a script. A formula that KaTeX cannot
 * read stays as typed. Loads KaTeX at the first formula.
 */
async function renderMaths(tree: Root): Promise<void> {
  const formulas: { node: Element; parent: Root | Element; index: number }[] = [];
  walkElements(tree, (node, parent, index) => {
    if (node.tagName === 'code' && node.properties.dataMath !== undefined)
      formulas.push({ node, parent, index });
  });
  if (formulas.length === 0) return;
  const { default: katex } = await import('katex');
  let left = CHARACTERS_MAX;
  for (const { node, parent, index } of formulas) {
    const { dataMath, ...properties } = node.properties;
    const displayMode = dataMath === 'block';
    const text = toString(node);
    left -= text.length;
    node.properties = properties;
    if (left < 0) continue;
    try {
      const html = katex.renderToString(text, {
        output: 'mathml',
        displayMode,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        maxSize: 20,
        maxExpand: 200,
      });
      const math = mathOf(html);
      if (math) parent.children[index] = math;
      if (math && displayMode && parent.type === 'element') parent.properties.className = ['math'];
    } catch {
      // An invalid formula is shown as its source.
    }
  }
}

/** The `<math>` element without styles, and without the copy of the source that a screen reader would read as well. */
function mathOf(html: string): Element | null {
  let math: Element | null = null;
  walkElements(parseHtml(html), (node) => {
    delete node.properties.style;
    delete node.properties.className;
    if (node.tagName === 'semantics') node.children = node.children.slice(0, 1);
    if (node.tagName === 'math') math ??= node;
  });
  return math;
}
