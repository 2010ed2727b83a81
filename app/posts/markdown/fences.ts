import type { Element, ElementContent, Root } from 'hast';
import type { MarkdownIt } from 'markdown-it';
import { element, textNode } from '#app/platform/text/hast.ts';
import { walkElements } from './walk.ts';

/** A longer list of lines is cut. */
const LINES_MAX = 10_000;

/**
 * Reads what follows a code block's language: `title="app.js"` and `{1,3-5}`. Writes both as attributes, which pass the
 * sanitiser, and which `decorateCode` removes again.
 */
export function fences(parser: MarkdownIt): void {
  const plain = parser.renderer.rules.fence!;
  parser.renderer.rules.fence = (tokens, index, options, env, renderer) => {
    const { info } = tokens[index]!;
    const html = plain(tokens, index, options, env, renderer);
    if (!/[={]/.test(info)) return html;
    const [, quoted, apostrophes] =
      /(?:^|\s)(?:title|filename|file)=(?:"([^"]{1,200})"|'([^']{1,200})')/.exec(info) ?? [];
    const lines = /\{([\d,\s-]{1,500})\}/.exec(info)?.[1];
    const title = quoted ?? apostrophes;
    const { escapeHtml } = parser.utils;
    const attributes =
      (title === undefined ? '' : ` data-title="${escapeHtml(title)}"`) +
      (lines === undefined ? '' : ` data-lines="${lines.replace(/\s/g, '')}"`);
    return html.replace(/^<pre><code/, `<pre><code${attributes}`);
  };
}

/**
 * Highlights the listed lines of code blocks, and adds captions to blocks with a title. Runs after the syntax
 * highlighter.
 */
export function decorateCode(tree: Root): void {
  walkElements(tree, (pre, parent, index) => {
    const code = pre.children[0];
    if (pre.tagName !== 'pre' || code?.type !== 'element' || code.tagName !== 'code') return;
    const { dataTitle, dataLines, ...properties } = code.properties;
    if (dataTitle === undefined && dataLines === undefined) return;
    code.properties = properties;
    if (typeof dataLines === 'string') markLines(code, linesOf(dataLines));
    if (typeof dataTitle !== 'string') return;
    const caption = element('figcaption', {}, [textNode(dataTitle)]);
    // The walk enters the new element, and finds the same code again, now without these attributes.
    parent.children[index] = element('figure', { className: ['code'] }, [caption, pre]);
  });
}

function linesOf(list: string): Set<number> {
  const lines = new Set<number>();
  for (const part of list.split(',')) {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    for (let line = Number(first); line <= Number(last) && lines.size < LINES_MAX; line += 1) lines.add(line);
  }
  return lines;
}

/** Wraps each wanted line, with its line break, in an element. */
function markLines(code: Element, marked: Set<number>): void {
  let number = 1;
  let line: ElementContent[] = [];
  const result: ElementContent[] = [];
  const endLine = () => {
    if (line.length > 0)
      result.push(...(marked.has(number) ? [element('span', { className: ['hl-line'] }, line)] : line));
    line = [];
    number += 1;
  };
  for (const child of code.children) {
    if (child.type !== 'text') {
      line.push(child);
      continue;
    }
    const parts = child.value.split(/(?<=\n)/);
    for (const value of parts) {
      if (value !== '') line.push({ type: 'text', value });
      if (value.endsWith('\n')) endLine();
    }
  }
  endLine();
  code.children = result;
}
