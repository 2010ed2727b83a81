import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { contentOf } from '#app/platform/text/hast.ts';

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
    before.push(textOf(first.value.slice(0, first.value.length - rest.length)));
    inner[0] = textOf(rest);
  }
  const last = inner.at(-1);
  if (last?.type === 'text') {
    const rest = endOf(last.value, hasWordAfter && !isLink);
    after.unshift(textOf(last.value.slice(rest.length)));
    inner[inner.length - 1] = textOf(rest);
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

function textOf(value: string): ElementContent {
  return { type: 'text', value };
}

function isSpace(node: ElementContent): boolean {
  return node.type === 'text' ? node.value.trim() === '' : node.type === 'element' && node.tagName === 'br';
}
