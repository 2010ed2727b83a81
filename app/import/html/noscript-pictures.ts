import type { Element, ElementContent, Parents, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';
import { attribute, find, findAll, isBlank, isElement } from './nodes.ts';

/** Puts the pictures of `<noscript>` in its place. They replace the picture before it, which waits for a script. */
export function showNoscriptPictures(node: Parents): void {
  const made: ElementContent[] = [];
  for (const child of node.children as ElementContent[]) {
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
  const tree: Parents = text?.type === 'text' ? (fromParse5(parseFragment(text.value)) as Root) : noscript;
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
