import type { Element, Root } from 'hast';

type Parent = Root | Element;

/**
 * Calls `visit` for every element below `node` in document order. When `visit` replaces an element, the walk enters the
 * new one. Our own code, because `unist-util-visit` took a third of the time of a rendering.
 */
export function walkElements(
  node: Parent,
  visit: (element: Element, parent: Parent, index: number) => void,
): void {
  for (let index = 0; index < node.children.length; index += 1) {
    const child = node.children[index]!;
    if (child.type !== 'element') continue;
    visit(child, node, index);
    const current = node.children[index]!;
    if (current.type === 'element') walkElements(current, visit);
  }
}
