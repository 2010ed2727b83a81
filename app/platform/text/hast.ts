import type { ElementContent, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

/** The tree of a piece of HTML, without positions: an import would copy them with each node, in a quarter of its time. */
export function parseHtml(html: string): Root {
  const tree = fromParse5(parseFragment(html));
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}

/** What is in a node. Only a whole document has a document type, and no piece of HTML is one. */
export function contentOf(parent: Parents): ElementContent[] {
  return parent.children.flatMap((child) => (child.type === 'doctype' ? [] : [child]));
}
