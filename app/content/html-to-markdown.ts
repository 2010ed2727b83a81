import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { AppError, messageOf } from '#app/platform/errors.ts';
import { cleanHtml } from './clean-html.ts';
import { resolveCards } from './html-cards.ts';
import { Verbatim } from './verbatim.ts';

export interface ConvertedHtml {
  markdown: string;
  warnings: string[];
}

/** What a source knows better than HTML does; changes the tree before it becomes Markdown. */
export type HtmlTransform = (tree: Root, verbatim: Verbatim) => void;

const parser = unified().use(rehypeParse, { fragment: true });
const writer = unified()
  .use(rehypeRemark, { newlines: false })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', emphasis: '*', rule: '-', fences: true, listItemIndent: 'one' });

/**
 * HTML as clean Markdown: headings, lists, tables, code, images with their captions; films and sounds as the
 * site's own players, embedded pages as links. What Markdown has no words for keeps its text; scripts, styles
 * and frames go.
 * @throws AppError `invalid_input` for what cannot be read, such as nesting beyond reason.
 */
export function htmlToMarkdown(html: string, transform: HtmlTransform = () => {}): ConvertedHtml {
  return withinReason(() => {
    const verbatim = new Verbatim();
    const tree = parser.parse(verbatim.without(html));
    transform(tree, verbatim);
    return treeToMarkdown(tree, verbatim);
  });
}

/**
 * The same for HTML that is a tree already, which it changes.
 * @throws AppError as above
 */
export function treeToMarkdown(tree: Root, verbatim = new Verbatim()): ConvertedHtml {
  return withinReason(() => {
    const warnings: string[] = [];
    resolveCards(tree, verbatim);
    cleanHtml(tree, verbatim);
    if (dropInlineData(tree)) warnings.push('An image that stands in the text itself (data:) was left out.');
    const markdown = verbatim.restore(writer.stringify(writer.runSync(tree)));
    return { markdown: markdown.replace(/\n+$/, ''), warnings };
  });
}

/**
 * The text of a piece of HTML on one line: a title, a caption, an excerpt.
 * @throws AppError as above
 */
export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim();
  return withinReason(() => {
    const tree = parser.parse(html);
    visit(tree, 'element', (node, index, parent) => {
      if (!['script', 'style'].includes(node.tagName) || !parent) return;
      parent.children.splice(index!, 1);
      return index;
    });
    return toString(tree).replace(/\s+/g, ' ').trim();
  });
}

function dropInlineData(tree: Root): boolean {
  let found = false;
  visit(tree, 'element', (node: Element, index, parent) => {
    if (node.tagName !== 'img' || !/^\s*data:/i.test(String(node.properties.src ?? ''))) return;
    found = true;
    parent!.children.splice(index!, 1);
    return index;
  });
  return found;
}

// What no converter can read costs its post and no other. Parsers and writers of trees recurse, so nesting
// beyond their stack is a RangeError.
function withinReason<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof RangeError ? 'is nested too deeply' : `cannot be read: ${messageOf(error)}`;
    throw new AppError('invalid_input', `Its HTML ${why}.`, { cause: error });
  }
}
