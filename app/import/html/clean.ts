import type { Element, ElementContent, Parents, Root, Text } from 'hast';
import { toString } from 'hast-util-to-string';
import { contentOf } from '#app/platform/text/hast.ts';
import { pictureAddress } from './media-address.ts';
import { attribute, element, find, isElement, replaceElements, textNode } from './nodes.ts';
import type { Verbatim } from './verbatim.ts';

/** Text-level elements without a Markdown syntax, which the site shows as HTML. */
const keptElements = new Set(['sub', 'sup', 'kbd', 'mark', 'ins', 'u']);
const emphasis = new Set(['strong', 'b', 'em', 'i', 'del', 's', 'strike']);
// `base` would change every address of the text.
const removedElements = new Set([
  'base',
  'noscript',
  'template',
  'style',
  'script',
  'link',
  'meta',
  'title',
  'svg',
  'math',
  'form',
]);

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
  const targets = new Set<string>();
  const collect = (parent: Parents): void => {
    for (const node of parent.children) {
      if (!isElement(node)) continue;
      const href = attribute(node, 'href');
      if (node.tagName === 'a' && href.startsWith('#') && href.length > 1) targets.add(href.slice(1));
      collect(node);
    }
  };
  collect(tree);
  return targets;
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
