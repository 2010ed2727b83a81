import type { Element, ElementContent, Parents, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options } from 'remark-stringify';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { messageOf, invalidInput } from '#app/platform/errors.ts';
import { contentOf, parseHtml } from '#app/platform/text/hast.ts';
import { resolveCards } from './cards.ts';
import { cleanHtml, liftBlocks, straightenMarks } from './clean.ts';
import { attribute, find, findAll, isBlank, isElement, textNode } from './nodes.ts';
import { groupPlainBlocks, signs } from './plain-blocks.ts';
import { Verbatim } from './verbatim.ts';
import { resolveWidgets } from './widgets.ts';

export interface ConvertedHtml {
  markdown: string;
  warnings: string[];
}

/** A transformation for one source; changes the tree before it becomes Markdown. */
export type HtmlTransform = (tree: Root, verbatim: Verbatim) => void;

type TextHandler = NonNullable<NonNullable<Options['handlers']>['text']>;

/**
 * Writes text as the library does, which tries forty patterns on each text (a fifth of the time of an import). Most
 * texts contain none of the patterns' characters, begin with a letter, or inside a line with a space, and have no space
 * at the end of a line.
 */
const text: TextHandler = ({ value }: { value: string }, _, state, info) => {
  const isPlain =
    !signs.test(value) &&
    (/^\p{L}/u.test(value) || (value.startsWith(' ') && info.before !== '\n')) &&
    (!value.endsWith(' ') || info.after !== '\n');
  return isPlain ? value : state.safe(value, info);
};

const writer = unified().use(rehypeRemark, { newlines: false }).use(remarkGfm).use(remarkStringify, {
  bullet: '-',
  emphasis: '*',
  rule: '-',
  fences: true,
  listItemIndent: 'one',
  handlers: { text },
});

/**
 * HTML as clean Markdown: headings, lists, tables, code, images with their captions; films and sounds as the site's
 * own players, embedded pages as links. Of elements without a Markdown syntax the text is kept; scripts, styles and
 * frames are removed.
 * @throws AppError `invalid_input` for HTML that cannot be read, such as extreme nesting.
 */
export function htmlToMarkdown(html: string, transform: HtmlTransform = () => {}): ConvertedHtml {
  return withinReason(() => {
    const verbatim = new Verbatim();
    const tree = parseHtml(verbatim.without(html));
    if (html.includes('<noscript')) showNoscriptPictures(tree);
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
    const warnings = resolveWidgets(tree, verbatim);
    resolveCards(tree, verbatim);
    liftBlocks(tree);
    keepCellBreaks(tree, verbatim);
    cleanHtml(tree, verbatim);
    straightenMarks(tree);
    if (dropInlineData(tree)) warnings.push('An image embedded in the text (data:) was left out.');
    return { markdown: verbatim.restore(writeTree(tree)), warnings };
  });
}

/** Gives the library its adjacent blocks together: it separates two adjacent lists. */
function writeTree(tree: Root): string {
  return groupPlainBlocks(tree.children)
    .map((stretch) => (typeof stretch === 'string' ? stretch : writeByLibrary(stretch)))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Writes blocks by the library alone, which knows every element. */
export function writeByLibrary(children: Root['children']): string {
  const markdown = writer.stringify(writer.runSync({ type: 'root', children }));
  return markdown.replace(/^\n+|\n+$/g, '');
}

/**
 * The text of a piece of HTML on one line: a title, a caption, an excerpt.
 * @throws AppError as above
 */
export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim();
  return withinReason(() => {
    const tree = parseHtml(html);
    visit(tree, 'element', (node, index, parent) => {
      if (!['script', 'style'].includes(node.tagName) || !parent) return;
      parent.children.splice(index!, 1);
      return index;
    });
    return toString(tree).replace(/\s+/g, ' ').trim();
  });
}

/** Line breaks in cells of tables, which Markdown writes in one line, stay as HTML. */
function keepCellBreaks(tree: Root, verbatim: Verbatim): void {
  visit(tree, 'element', (cell: Element) => {
    if (!isElement(cell, 'td', 'th')) return;
    visit(cell, 'element', (node, index, parent) => {
      if (node.tagName === 'br') parent!.children[index!] = textNode(verbatim.add('<br>'));
    });
  });
}

function dropInlineData(tree: Root): boolean {
  let hasDropped = false;
  visit(tree, 'element', (node: Element, index, parent) => {
    if (node.tagName !== 'img' || !/^\s*data:/i.test(String(node.properties.src ?? ''))) return;
    hasDropped = true;
    parent!.children.splice(index!, 1);
    return index;
  });
  return hasDropped;
}

// HTML that no converter can read fails only its post. Parsers and writers of trees recurse, so nesting beyond their
// stack is a RangeError.
function withinReason<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof RangeError ? 'is nested too deeply' : `cannot be read: ${messageOf(error)}`;
    throw invalidInput(`Its HTML ${why}.`, error);
  }
}

/** Puts the pictures of `<noscript>` in its place. They replace the picture before it, which waits for a script. */
function showNoscriptPictures(node: Parents): void {
  const made: ElementContent[] = [];
  for (const child of contentOf(node)) {
    if (isElement(child, 'noscript')) {
      const pictures = picturesOf(child);
      if (pictures.length > 0) dropWaiting(made);
      made.push(...pictures);
      continue;
    }
    if (isElement(child)) showNoscriptPictures(child);
    made.push(child);
  }
  node.children = made;
}

// The parser assumes that scripts run, and reads the content of `noscript` as one text.
function picturesOf(noscript: Element): Element[] {
  const [text] = noscript.children;
  const tree: Parents = text?.type === 'text' ? parseHtml(text.value) : noscript;
  return findAll(tree, isPicture).filter((picture) => !isTracker(picture));
}

function dropWaiting(before: ElementContent[]): void {
  const last = before.findLastIndex((node) => !isBlank(node));
  const node = before[last];
  const isWaiting =
    isElement(node) && (isPicture(node) || (node.tagName === 'picture' && find(node, isPicture)));
  if (isWaiting) before.splice(last);
}

function isPicture({ tagName }: Element): boolean {
  return tagName === 'img';
}

/** True for a picture of one pixel, which nobody sees. */
function isTracker(picture: Element): boolean {
  const isPoint = ['width', 'height'].every((name) => /^[01]$/.test(attribute(picture, name)));
  return isPoint || /display:\s*none/i.test(attribute(picture, 'style'));
}
