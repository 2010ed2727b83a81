import type { Element, Nodes, Root } from 'hast';
import { directionOfText } from '#app/platform/text/direction.ts';
import { directionOf } from '#app/platform/text/supported-languages.ts';
import { walkElements } from './walk.ts';

const blocks = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote'],
  ...['table', 'th', 'td', 'caption', 'figcaption', 'summary'],
]);

/**
 * Lets the browser find the direction of each block that is written in another direction than the post. A block whose
 * author has set a direction keeps it, and so does everything in it.
 */
export function markDirections(tree: Root, language = 'en'): void {
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
