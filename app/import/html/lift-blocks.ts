import type { Element, ElementContent, Parents } from 'hast';
import { contentOf } from '#app/platform/text/hast.ts';
import { isBlank, isElement, textNode } from './nodes.ts';

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
