import type { Element, ElementContent, Parents, Root, Text } from 'hast';
import { toString } from 'hast-util-to-string';
import { contentOf } from '#app/platform/text/hast.ts';
import { pictureAddress } from './media-address.ts';
import { isBlank, isElement, textNode, attribute, element, find, findAll, replaceElements } from './nodes.ts';
import type { Verbatim } from './verbatim.ts';

/** Elements of a line. */
const lineElements = new Set(
  'a b big bdi bdo cite del em font i ins kbd label mark q s small span strike strong sub sup tt u'.split(
    ' ',
  ),
);
const blocks = new Set(
  (
    'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section table ul'
  ).split(' '),
);
/** Blocks that stay as they are: code, and what is read as a whole. */
const whole = new Set(['details', 'figure', 'hr', 'pre', 'table']);
const blankLine = /(\n[ \t]*\n\s*)/;

/**
 * Puts elements of a line that are around blocks into these blocks, since Markdown has no blocks in a line: of
 * `<b><p>a</p><p>b</p></b>` it makes `<p><b>a</b></p><p><b>b</b></p>`. Browsers show both alike. Old texts have many of
 * them, also for want of an end tag.
 * @param options.hasBlankLines a blank line ends a paragraph, as in the classic editor of WordPress
 */
export function liftBlocks(
  tree: Parents,
  options: { hasBlankLines: boolean } = { hasBlankLines: false },
): void {
  const lifting = { ...options, holders: new Set<unknown>() };
  findHolders(tree, lifting);
  if ([...lifting.holders].some(isLine)) tree.children = lifted(contentOf(tree), [], lifting);
}

interface Lifting {
  hasBlankLines: boolean;
  /** The elements that hold a block. */
  holders: Set<unknown>;
}

/** @returns whether the parent holds a block */
function findHolders(parent: Parents, lifting: Lifting): boolean {
  let isHolder = false;
  for (const child of parent.children) {
    if (isElement(child)) {
      const isInner = !whole.has(child.tagName) && findHolders(child, lifting);
      isHolder ||= isInner || blocks.has(child.tagName);
    } else if (child.type === 'text' && lifting.hasBlankLines && isLine(parent))
      isHolder ||= blankLine.test(child.value);
  }
  if (isHolder) lifting.holders.add(parent);
  return isHolder;
}

/** @param open the elements of a line that are around these children, the outermost first, each name once */
function lifted(children: ElementContent[], open: Element[], lifting: Lifting): ElementContent[] {
  const made: ElementContent[] = [];
  let stretch: ElementContent[] = [];
  const endStretch = () => {
    if (stretch.every(isBlank)) made.push(...stretch);
    else
      made.push(
        ...open.reduceRight<ElementContent[]>((inner, node) => [{ ...node, children: inner }], stretch),
      );
    stretch = [];
  };
  for (const child of open.length > 0 && lifting.hasBlankLines ? children.flatMap(atBlankLines) : children) {
    const isBreak = open.length > 0 && lifting.hasBlankLines && isBlankLine(child);
    const isBlock = isElement(child) && (blocks.has(child.tagName) || lifting.holders.has(child));
    if (!isBreak && !isBlock) {
      stretch.push(child);
      continue;
    }
    endStretch();
    if (!isElement(child)) made.push(child);
    else if (whole.has(child.tagName)) made.push(child.tagName === 'figure' ? linked(child, open) : child);
    else if (!isLine(child)) made.push({ ...child, children: lifted(child.children, open, lifting) });
    else {
      const isOpen = open.some(({ tagName }) => tagName === child.tagName);
      made.push(...lifted(child.children, isOpen ? open : [...open, child], lifting));
    }
  }
  endStretch();
  return made;
}

/** A figure whose picture has the link that is around it. */
function linked(figure: Element, open: Element[]): Element {
  const link = open.find(({ tagName }) => tagName === 'a');
  if (!link) return figure;
  const children = figure.children.map((child) =>
    isElement(child, 'img') || isElement(child, 'picture') ? { ...link, children: [child] } : child,
  );
  return { ...figure, children };
}

function isLine(node: unknown): boolean {
  return isElement(node) && lineElements.has(node.tagName);
}

function atBlankLines(node: ElementContent): ElementContent[] {
  return node.type === 'text' ? node.value.split(blankLine).map(textNode) : [node];
}

function isBlankLine(node: ElementContent): boolean {
  return node.type === 'text' && isBlank(node) && blankLine.test(node.value);
}

type Parent = Root | Element;

const marks = new Set(['b', 'strong', 'i', 'em', 'del', 's', 'strike', 'a']);

/**
 * Moves spaces and line breaks at the edges of emphasis and links out of them: Markdown's marks stand at words. Word and
 * Google Docs put the space after a bold word into the bold. Punctuation follows where a word beside the marks would
 * keep them from being any. Runs of the same emphasis become one; emphasis of nothing but space is none.
 */
export function straightenMarks(tree: Parent): void {
  for (const child of tree.children) if (child.type === 'element') straightenMarks(child);
  if (!tree.children.some(isMark)) return;
  const straight: ElementContent[] = [];
  for (const child of contentOf(tree)) {
    const last = straight.at(-1);
    if (isMark(child) && isMark(last) && isSameMark(child, last)) last.children.push(...child.children);
    else straight.push(child);
  }
  tree.children = straight.flatMap((child, index) =>
    isMark(child) ? apart(child, wordBefore(straight[index - 1]), wordAfter(straight[index + 1])) : [child],
  );
}

function isMark(node: Parent['children'][number] | undefined): node is Element {
  return node?.type === 'element' && marks.has(node.tagName);
}

/** Links next to each other stay two, even to the same address. */
function isSameMark(one: Element, other: Element): boolean {
  return one.tagName === other.tagName && one.tagName !== 'a';
}

/** Whether a letter or digit is right before, or right after, a mark. */
function wordBefore(node: ElementContent | undefined): boolean {
  return node !== undefined && /[\p{L}\p{N}]$/u.test(toString(node));
}

function wordAfter(node: ElementContent | undefined): boolean {
  return node !== undefined && /^[\p{L}\p{N}]/u.test(toString(node));
}

/** A mark with what stands before and after it. */
function apart(mark: Element, hasWordBefore: boolean, hasWordAfter: boolean): ElementContent[] {
  if (mark.children.every(isSpace)) return mark.tagName === 'a' ? [mark] : mark.children;
  const before: ElementContent[] = [];
  const after: ElementContent[] = [];
  const inner = [...mark.children];
  while (inner.length > 0 && isSpace(inner[0]!)) before.push(inner.shift()!);
  while (inner.length > 0 && isSpace(inner.at(-1)!)) after.unshift(inner.pop()!);
  const isLink = mark.tagName === 'a';
  const first = inner[0];
  if (first?.type === 'text') {
    const rest = startOf(first.value, hasWordBefore && !isLink);
    before.push(textNode(first.value.slice(0, first.value.length - rest.length)));
    inner[0] = textNode(rest);
  }
  const last = inner.at(-1);
  if (last?.type === 'text') {
    const rest = endOf(last.value, hasWordAfter && !isLink);
    after.unshift(textNode(last.value.slice(rest.length)));
    inner[inner.length - 1] = textNode(rest);
  }
  const marked = inner.filter((node) => node.type !== 'text' || node.value !== '');
  const outer = [...before, ...(marked.length === 0 ? [] : [{ ...mark, children: marked }]), ...after];
  return outer.filter((node) => node.type !== 'text' || node.value !== '');
}

/** A text without the space at its start; beside a word, also without punctuation there. */
function startOf(text: string, isBesideWord: boolean): string {
  return isBesideWord && !/^\s/.test(text) ? text.replace(/^[\p{P}\p{S}\s]+/u, '') : text.trimStart();
}

/** The same for the end. A loop, since a pattern for the end would begin at every sign of a long run. */
function endOf(text: string, isBesideWord: boolean): string {
  if (!isBesideWord || /\s$/.test(text)) return text.trimEnd();
  let end = text.length;
  while (end > 0 && /[\p{P}\p{S}\s]/u.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

function isSpace(node: ElementContent): boolean {
  return node.type === 'text' ? node.value.trim() === '' : node.type === 'element' && node.tagName === 'br';
}

/** Text-level elements without a Markdown syntax, which the site shows as HTML. */
const keptElements = new Set(['sub', 'sup', 'kbd', 'mark', 'ins', 'u']);
const emphasis = new Set(['strong', 'b', 'em', 'i', 'del', 's', 'strike']);
// `base` would change every address of the text.
const removedElements = new Set(
  'base noscript template style script link meta title svg math form'.split(' '),
);

/** Removes what would leave traces in Markdown: comments, empty emphasis, links and pictures without a target. */
export function cleanHtml(tree: Root, verbatim: Verbatim): void {
  const targets = linkTargets(tree);
  dropComments(tree);
  replaceElements(tree, (node) => (removedElements.has(node.tagName) ? [] : undefined));
  cleanInside(tree, verbatim, targets);
}

function cleanInside(parent: Parents, verbatim: Verbatim, targets: Set<string>): void {
  parent.children = contentOf(parent).flatMap((node): ElementContent[] => {
    if (!isElement(node) || node.tagName === 'pre' || node.tagName === 'code') return [node];
    cleanInside(node, verbatim, targets);
    return cleaned(node, verbatim, targets);
  });
}

function cleaned(node: Element, verbatim: Verbatim, targets: Set<string>): ElementContent[] {
  const { tagName, children } = node;
  if (tagName === 'img') return picture(node);
  if (tagName === 'a') return link(node, verbatim, targets);
  if (emphasis.has(tagName)) return emphasised(node);
  if (keptElements.has(tagName))
    return [textNode(verbatim.add(`<${tagName}>`)), ...children, textNode(verbatim.add(`</${tagName}>`))];
  const id = attribute(node, 'id');
  if (targets.has(id) && isAnchorName(id)) node.children = [anchor(id, verbatim), ...children];
  return [node];
}

function picture(node: Element): ElementContent[] {
  const src = pictureAddress(node);
  return src === ''
    ? []
    : [element('img', [], { src, alt: attribute(node, 'alt'), title: attribute(node, 'title') })];
}

function link(node: Element, verbatim: Verbatim, targets: Set<string>): ElementContent[] {
  const name = attribute(node, 'id') || attribute(node, 'name');
  const before = targets.has(name) && isAnchorName(name) ? [anchor(name, verbatim)] : [];
  const href = attribute(node, 'href');
  const isEmpty = toString(node).trim() === '' && !find(node, (child) => child.tagName === 'img');
  if (href === '' || isEmpty) return [...before, ...node.children];
  return [...before, ...hoistingSpaces({ ...node, properties: { href, title: attribute(node, 'title') } })];
}

function emphasised(node: Element): ElementContent[] {
  const isEmpty = toString(node).trim() === '' && !find(node, (child) => child.tagName === 'img');
  return isEmpty ? node.children : hoistingSpaces(node);
}

/** Spaces at the ends of emphasis and links belong outside: Markdown knows no `** bold **`. */
function hoistingSpaces(node: Element): ElementContent[] {
  const [first, last] = [node.children[0], node.children.at(-1)];
  const before = first?.type === 'text' ? /^\s*/.exec(first.value)![0] : '';
  const after = last?.type === 'text' ? /\s*$/.exec(last.value)![0] : '';
  if (before === '' && after === '') return [node];
  const trimmed = node.children.map((child, index): ElementContent => {
    if (child.type !== 'text') return child;
    const from = index === 0 ? before.length : 0;
    const to = index === node.children.length - 1 ? child.value.length - after.length : child.value.length;
    return textNode(child.value.slice(from, Math.max(from, to)));
  });
  const spaces = (value: string): Text[] => (value === '' ? [] : [textNode(value)]);
  return [...spaces(before), { ...node, children: trimmed }, ...spaces(after)];
}

/** The ids to which links in the text lead. */
function linkTargets(tree: Root): Set<string> {
  const links = findAll(tree, (node) => node.tagName === 'a' && /^#./s.test(attribute(node, 'href')));
  return new Set(links.map((node) => attribute(node, 'href').slice(1)));
}

function isAnchorName(name: string): boolean {
  return /^[\p{L}\p{N}_-]{1,100}$/u.test(name);
}

function anchor(name: string, verbatim: Verbatim): Text {
  return textNode(verbatim.add(`<a id="${name}"></a>`));
}

function dropComments(parent: Parents): void {
  parent.children = contentOf(parent).filter(({ type }) => type !== 'comment');
  for (const child of parent.children) if (isElement(child)) dropComments(child);
}
