import type { Element, ElementContent, Parents, Root, Text } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

/** The tree of a piece of HTML, without positions: an import would copy them with each node, in a quarter of its time. */
export function parseHtml(html: string): Root {
  const tree = fromParse5(parseFragment(html));
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}

/** A new element. */
export function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children };
}

export function textNode(value: string): Text {
  return { type: 'text', value };
}

/** What is in a node. Only a whole document has a document type, and no piece of HTML is one. */
export function contentOf(parent: Parents): ElementContent[] {
  return parent.children.flatMap((child) => (child.type === 'doctype' ? [] : [child]));
}
