import { diffArrays } from 'diff';
import type { Element, ElementContent, Parents } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { contentOf, parseHtml, element } from '#app/platform/text/hast.ts';
import { wordsOf } from './compare-texts.ts';

/** Blocks of a page: as HTML, in which what was added or removed is marked, or unchanged ones that are folded. */
export interface ShownBlocks {
  html: string;
  /** The number of unchanged blocks; absent where something changed, and beside it. */
  folded?: number;
}

/** Unchanged blocks that are shown before and after a change. */
const CONTEXT = 2;
/** Pages that differ in more blocks than this, and blocks that differ in more words, are not compared in parts. */
const MAX_EDITS = 500;
/** The longest block that is compared word by word, in characters, and how many are in one page. */
const MAX_COMPARED_LENGTH = 5_000;
const MAX_COMPARED_BLOCKS = 300;
/** How many blocks ahead the new version of a changed block is looked for. */
const LOOK_AHEAD = 20;

const containers = new Set(
  'ul ol li dl blockquote table thead tbody tfoot tr details div section aside figure'.split(' '),
);
/** Elements that allow no others around them where they stand: what is in them is marked. */
const inner = new Set('li dt dd th td summary figcaption caption'.split(' '));
const rows = new Set('thead tbody tfoot tr'.split(' '));
const ofWords = new Set('p h1 h2 h3 h4 h5 h6 li dt dd th td summary figcaption caption'.split(' '));
const whole = new Set('img br input picture video audio svg math iframe code hr'.split(' '));

/**
 * Compares two rendered texts block by block, and word by word within a block that changed. Returns null for texts that
 * differ in too much. The HTML has to be safe: only `<ins class="change">` and `<del class="change">` are added. Takes
 * long for large texts: requests call `Workers.comparePages`.
 */
export function comparePages(before: string, after: string): ShownBlocks[] | null {
  const comparison = new Comparison();
  const blocks = comparison.children(blocksOf(before), blocksOf(after));
  return blocks && folded(blocks);
}

/** A block of the comparison. */
interface Compared {
  node: ElementContent;
  isChanged: boolean;
}

class Comparison {
  #compared = 0;

  /** Two lists of blocks as one; null if they differ in too much. */
  children(before: readonly ElementContent[], after: readonly ElementContent[]): Compared[] | null {
    const changes = diffArrays(before.map(htmlOf), after.map(htmlOf), { maxEditLength: MAX_EDITS });
    if (!changes) return null;
    const result: Compared[] = [];
    let [old, current] = [0, 0];
    for (let index = 0; index < changes.length; index += 1) {
      const { added, removed, count } = changes[index]!;
      if (!added && !removed) {
        result.push(...after.slice(current, current + count).map((node) => ({ node, isChanged: false })));
        old += count;
        current += count;
        continue;
      }
      const next = removed && changes[index + 1]?.added ? changes[(index += 1)]!.count : 0;
      const [removals, additions] = removed ? [count, next] : [0, count];
      const nodes = this.#replaced(
        before.slice(old, old + removals),
        after.slice(current, current + additions),
      );
      result.push(...nodes.map((node) => ({ node, isChanged: true })));
      old += removals;
      current += additions;
    }
    return result;
  }

  #replaced(removed: readonly ElementContent[], added: readonly ElementContent[]): ElementContent[] {
    const result: ElementContent[] = [];
    let at = 0;
    for (const block of removed) {
      const pair = added.slice(at, at + LOOK_AHEAD).findIndex((other) => areAlike(block, other));
      const inOne = pair >= 0 ? this.#pair(block as Element, added[at + pair] as Element) : null;
      if (!inOne) {
        result.push(marked(block, 'del'));
        continue;
      }
      result.push(...added.slice(at, at + pair).map((node) => marked(node, 'ins')), inOne);
      at += pair + 1;
    }
    return [...result, ...added.slice(at).map((node) => marked(node, 'ins'))];
  }

  /** Two versions of a block as one; null if that would only confuse. */
  #pair(before: Element, after: Element): Element | null {
    this.#compared += 1;
    if (this.#compared > MAX_COMPARED_BLOCKS) return null;
    if (ofWords.has(after.tagName) && !hasBlocks(before) && !hasBlocks(after))
      return this.#words(before, after);
    if (!containers.has(after.tagName)) return null;
    const children = this.children(visible(before), visible(after));
    return children && { ...after, children: children.map(({ node }) => node) };
  }

  #words(before: Element, after: Element): Element | null {
    const [old, current] = [leavesOf(before), leavesOf(after)];
    const length = (leaves: Leaf[]) => leaves.reduce((sum, { word }) => sum + word.length, 0);
    if (Math.max(length(old), length(current)) > MAX_COMPARED_LENGTH) return null;
    const words = ({ word }: Leaf) => word;
    const changes = diffArrays(old.map(words), current.map(words), { maxEditLength: MAX_EDITS });
    // Only the markup changed, such as a word that is bold now.
    if (!changes?.some(({ added, removed }) => added || removed)) return null;
    const inPlace = new Map<ElementContent, ElementContent[]>();
    const put = (leaf: Leaf, node: ElementContent) =>
      inPlace.set(leaf.node, [...(inPlace.get(leaf.node) ?? []), node]);
    let [from, to] = [0, 0];
    for (const { added, removed, count } of changes) {
      if (removed) {
        const nodes = old.slice(from, from + count).map(nodeOf);
        from += count;
        const [previous, next] = [current[to - 1], current[to]];
        // Not within a link that ends or begins here.
        const beside = previous && !(next && next.depth < previous.depth) ? previous : next;
        if (!beside) return null;
        put(beside, marks('del', nodes));
        continue;
      }
      for (const leaf of current.slice(to, to + count))
        put(leaf, added ? marks('ins', [nodeOf(leaf)]) : nodeOf(leaf));
      to += count;
      if (!added) from += count;
    }
    return withLeaves(after, inPlace);
  }
}

/** A word of a text, or an element that is compared as a whole, such as a picture. */
interface Leaf {
  word: string;
  node: ElementContent;
  /** The number of elements around it. */
  depth: number;
}

function leavesOf(parent: Element, depth = 0): Leaf[] {
  return contentOf(parent).flatMap((node): Leaf[] => {
    if (node.type === 'text') return wordsOf(node.value).map((word) => ({ word, node, depth }));
    if (node.type !== 'element') return [];
    return whole.has(node.tagName) ? [{ word: htmlOf(node), node, depth }] : leavesOf(node, depth + 1);
  });
}

const nodeOf = ({ word, node }: Leaf): ElementContent =>
  node.type === 'text' ? { type: 'text', value: word } : node;

function withLeaves(parent: Element, inPlace: ReadonlyMap<ElementContent, ElementContent[]>): Element {
  const children = contentOf(parent).flatMap((node): ElementContent[] => {
    const nodes = inPlace.get(node);
    if (nodes) return joined(nodes);
    return node.type === 'element' && !whole.has(node.tagName) ? [withLeaves(node, inPlace)] : [node];
  });
  return { ...parent, children };
}

/** Joins neighbouring marks of one kind. */
function joined(nodes: readonly ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (last?.type === 'element' && node.type === 'element' && isMark(last) && last.tagName === node.tagName)
      last.children.push(...node.children);
    else result.push(node);
  }
  return result;
}

const isMark = ({ tagName }: Element) => tagName === 'ins' || tagName === 'del';

function marks(tagName: 'ins' | 'del', children: ElementContent[]): Element {
  return element(tagName, { className: ['change'] }, children);
}

/** A whole block as added or removed. */
function marked(node: ElementContent, kind: 'ins' | 'del'): ElementContent {
  if (node.type !== 'element') return marks(kind, [node]);
  if (rows.has(node.tagName)) return { ...node, children: visible(node).map((child) => marked(child, kind)) };
  return inner.has(node.tagName) ? { ...node, children: [marks(kind, node.children)] } : marks(kind, [node]);
}

/** Whether two blocks are versions of one: of one kind, and half of the shorter one's words are in the other. */
function areAlike(before: ElementContent, after: ElementContent): boolean {
  if (before.type !== 'element' || after.type !== 'element' || before.tagName !== after.tagName) return false;
  const [old, current] = [wordSet(before), wordSet(after)];
  let common = 0;
  for (const word of old) if (current.has(word)) common += 1;
  return common > 0 && common * 2 >= Math.min(old.size, current.size);
}

function wordSet(element: Element): Set<string> {
  return new Set(leavesOf(element).flatMap(({ word }) => (/[\p{L}\p{N}]/u.test(word) ? word : [])));
}

const hasBlocks = (element: Element) =>
  element.children.some(
    (child) => child.type === 'element' && (containers.has(child.tagName) || ofWords.has(child.tagName)),
  );

/** The blocks of a page. Names of places are left out: a page that shows two versions would have them twice. */
function blocksOf(html: string): ElementContent[] {
  const tree = parseHtml(html);
  withoutNames(tree);
  return visible(tree);
}

function withoutNames(parent: Parents): void {
  for (const child of contentOf(parent)) {
    if (child.type !== 'element') continue;
    for (const name of ['id', 'name', 'ariaDescribedBy', 'ariaLabelledBy']) delete child.properties[name];
    withoutNames(child);
  }
}

const visible = (parent: Parents) =>
  contentOf(parent).filter((node) => node.type !== 'text' || node.value.trim() !== '');

const stringifier = unified().use(rehypeStringify);

function htmlOf(node: ElementContent): string {
  return stringifier.stringify({ type: 'root', children: [node] });
}

function folded(blocks: readonly Compared[]): ShownBlocks[] {
  const result: ShownBlocks[] = [];
  const isNear = (index: number) =>
    blocks.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ isChanged }) => isChanged);
  let start = 0;
  while (start < blocks.length) {
    const near = isNear(start);
    let end = start + 1;
    while (end < blocks.length && isNear(end) === near) end += 1;
    const html = blocks
      .slice(start, end)
      .map(({ node }) => htmlOf(node))
      .join('\n');
    result.push(near ? { html } : { html, folded: end - start });
    start = end;
  }
  return result;
}
