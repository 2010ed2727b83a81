import type { Element, ElementContent, Parents, Properties, Text } from 'hast';
import { toString } from 'hast-util-to-string';
import { contentOf } from '#app/platform/text/hast.ts';

/** A new element; children may be plain strings. */
export function element(
  tagName: string,
  children: (ElementContent | string)[] = [],
  properties: Properties = {},
): Element {
  const nodes = children.map((child) => (typeof child === 'string' ? textNode(child) : child));
  return { type: 'element', tagName, properties, children: nodes };
}

export function textNode(value: string): Text {
  return { type: 'text', value };
}

export function isElement(node: unknown, ...tagNames: string[]): node is Element {
  const { type, tagName } = (node ?? {}) as Partial<Element>;
  return type === 'element' && (tagNames.length === 0 || tagNames.includes(tagName!));
}

/** True for white space only. */
export function isBlank(node: unknown): boolean {
  const { type, value } = node as Partial<Text>;
  return type === 'text' && value!.trim() === '';
}

/** The text in an element, trimmed; `''` without one. */
export function textIn(node: Element | undefined): string {
  return node ? toString(node).trim() : '';
}

export function classesOf(node: Element): string[] {
  const { className } = node.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export function hasClass(node: Element, name: string): boolean {
  return classesOf(node).includes(name);
}

/** An attribute as text, `''` without it. */
export function attribute(node: Element, name: string): string {
  const value = node.properties[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** The first element below a node that fulfils a condition, in the order of the text. */
export function find(node: Parents, test: (element: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    if (!isElement(child)) continue;
    const match = test(child) ? child : find(child, test);
    if (match) return match;
  }
  return undefined;
}

/** All elements below a node that fulfil a condition, without those inside an element that was found. */
export function findAll(node: Parents, test: (element: Element) => boolean): Element[] {
  return node.children.flatMap((child) => {
    if (!isElement(child)) return [];
    return test(child) ? [child] : findAll(child, test);
  });
}

/**
 * Offers every element to `replace`, parents first. The returned nodes take the element's place and are not offered
 * again. For undefined, the element stays and its children are offered.
 */
export function replaceElements(
  node: Parents,
  replace: (element: Element) => ElementContent[] | undefined,
): void {
  const made: ElementContent[] = [];
  let isChanged = false;
  for (const child of contentOf(node)) {
    const replacement = isElement(child) ? replace(child) : undefined;
    if (replacement) made.push(...replacement);
    else made.push(child);
    isChanged ||= replacement !== undefined;
    if (!replacement && isElement(child)) replaceElements(child, replace);
  }
  if (isChanged) node.children = made;
}
