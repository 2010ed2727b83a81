import type { Element, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { cutText } from '#app/platform/graphemes.ts';
import { toSlug } from '#app/platform/slug.ts';
import { ID_PREFIX } from './markdown-sanitize.ts';
import { plainTextOf } from './markdown-text.ts';
import { walkElements } from './markdown-walk.ts';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

/**
 * Headings get ids and anchors, links their `rel`, tables a frame that scrolls. Runs on a sanitised tree.
 * @returns the headings in order.
 */
export function decorate(tree: Root, options: { siteUrl?: string }): Heading[] {
  const { headings, names } = decorateHeadings(tree);
  nameOwnAnchors(tree);
  const ids = idsOf(tree);
  const wrapTables: (() => void)[] = [];
  walkElements(tree, (node, parent, index) => {
    if (node.tagName === 'a') decorateLink(node, { ids, names }, options.siteUrl);
    if (node.tagName === 'th' || node.tagName === 'td') decorateCell(node);
    if (node.tagName === 'pre') node.properties.tabIndex = 0;
    if (node.tagName === 'li') decorateTask(node);
    if (node.tagName === 'table')
      wrapTables.push(() => {
        parent.children[index] = element('div', { className: ['table-scroll'], tabIndex: 0 }, [node]);
      });
  });
  for (const wrap of wrapTables) wrap();
  return headings;
}

const headingName = /^h([1-6])$/;

// The page's title is its only first-level heading, so a text with headings of that level has all of them moved down
// one.
function decorateHeadings(tree: Root): { headings: Heading[]; names: Map<string, string> } {
  const nodes: Element[] = [];
  walkElements(tree, (node) => {
    if (headingName.test(node.tagName)) nodes.push(node);
  });
  const shift = nodes.some((node) => node.tagName === 'h1') ? 1 : 0;
  const own = idsOf(tree);
  const freeId = uniqueIds(own);
  const newName = headingNames(own);
  const names = new Map<string, string>();
  const headings = nodes.map((node) => {
    const depth = Math.min(6, Number(node.tagName.slice(1)) + shift);
    const text = plainTextOf({ type: 'root', children: node.children }).replace(/\s+/g, ' ');
    const id = freeId(headingId(text));
    node.tagName = `h${depth}`;
    // An id that the author has set stays valid, on an element inside the heading.
    const ownId = node.properties.id;
    if (ownId) node.children.unshift(element('span', { id: ownId }, []));
    node.properties.id = id;
    const [name, ...others] = newName(text, id);
    for (const other of [name, ...others]) if (other !== undefined) names.set(other, id);
    node.children.push(
      ...others.map((other) => element('a', { name: other }, [])),
      element(
        'a',
        { className: ['heading-anchor'], name, href: `#${id}`, ariaHidden: 'true', tabIndex: -1 },
        [],
      ),
    );
    return { depth, id, text };
  });
  return { headings, names };
}

/**
 * Returns the names by which links from elsewhere mean a heading, besides its id: the plain slug, and that of GitHub,
 * Hugo and Jekyll, from where posts move here. Each is new. A script does not see a link's name, as it does an id.
 */
function headingNames(own: ReadonlySet<string>): (text: string, id: string) => string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (text, id) => {
    const plain = gitHubSlug(text);
    const count = counts.get(plain) ?? 0;
    counts.set(plain, count + 1);
    const wanted = count === 0 ? [toSlug(text), plain] : [`${plain}-${count}`];
    const names = [...new Set(wanted)].filter(
      (name) => name !== '' && name !== id && !used.has(name) && !own.has(name) && !own.has(ID_PREFIX + name),
    );
    for (const name of names) used.add(name);
    return names;
  };
}

/** The id of a heading at GitHub, whose rule most generators have taken: signs are removed, each space is a hyphen. */
function gitHubSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives ids that come from the text their plain names too, for links from elsewhere. Footnotes have none: see `#fn-1`. */
function nameOwnAnchors(tree: Root): void {
  const named = new Set<string>();
  // A link cannot contain another one.
  const inLinks = new Set<Element>();
  walkElements(tree, (node) => {
    if (node.tagName === 'a' && !inLinks.has(node))
      walkElements({ type: 'root', children: node.children }, (inner) => inLinks.add(inner));
    const { id } = node.properties;
    if (typeof id !== 'string' || !id.startsWith(ID_PREFIX) || footnoteId.test(id)) return;
    const name = id.slice(ID_PREFIX.length);
    const holder = holderOf(node);
    if (name === '' || holder === null || inLinks.has(holder) || named.has(name)) return;
    named.add(name);
    if (holder.tagName === 'a') holder.properties.name = name;
    else holder.children.unshift(element('a', { name }, []));
  });
}

const footnoteId = /^user-content-fn(?:ref)?-/;
const empty: ReadonlySet<string> = new Set([
  'img',
  'hr',
  'br',
  'wbr',
  'input',
  'col',
  'source',
  'track',
  'video',
  'audio',
  'picture',
]);
const lists: ReadonlySet<string> = new Set([
  'table',
  'colgroup',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'ul',
  'ol',
  'dl',
  'ruby',
  'details',
]);

/** The element itself or the first one in it that may contain a link; null without one. */
function holderOf(node: Element): Element | null {
  let holder: Element | undefined = node;
  while (holder && lists.has(holder.tagName))
    holder = holder.children.find((child): child is Element => child.type === 'element');
  return holder && !empty.has(holder.tagName) ? holder : null;
}

/**
 * The id of a heading. Scripts can read an element by its id as a global name, but none reads a name with a hyphen or
 * one that is not ASCII. A heading of one plain word gets a prefix, so that no heading can replace a variable.
 */
function headingId(text: string): string {
  const slug = toSlug(text) || '1';
  return /^[a-z0-9]+$/.test(slug) ? `section-${slug}` : slug;
}

/** Returns ids that are not in `used`: the wanted id, or the wanted id with the first free number from 2. */
function uniqueIds(used: Set<string>): (wanted: string) => string {
  // The search for each name continues where it ended. Starting from 2 each time, equal headings took quadratic time.
  const next = new Map<string, number>();
  return (wanted) => {
    let number = next.get(wanted) ?? 1;
    let id: string;
    do {
      id = number === 1 ? wanted : `${wanted}-${number}`;
      number += 1;
    } while (used.has(id));
    next.set(wanted, number);
    used.add(id);
    return id;
  };
}

function idsOf(tree: Root): Set<string> {
  const ids = new Set<string>();
  walkElements(tree, ({ properties }) => {
    if (typeof properties.id === 'string') ids.add(properties.id);
  });
  return ids;
}

function decorateLink(node: Element, targets: Targets, siteUrl: string | undefined): void {
  const { href } = node.properties;
  if (typeof href !== 'string') return;
  if (href.startsWith('#')) node.properties.href = fragmentTarget(href, targets);
  if (!isExternal(href, siteUrl)) return;
  const own = Array.isArray(node.properties.rel) ? node.properties.rel : [];
  node.properties.rel = [...new Set([...own, 'external', 'noopener'])];
}

interface Targets {
  ids: ReadonlySet<string>;
  /** Ids of headings by their other names. */
  names: ReadonlyMap<string, string>;
}

/** The id of the page that a link means. Authors link to the id that they wrote or to the text of a heading. */
function fragmentTarget(href: string, { ids, names }: Targets): string {
  const name = decoded(href.slice(1));
  const own = [name, ID_PREFIX + name, names.get(name) ?? ''].find((candidate) => ids.has(candidate));
  // Making a slug takes longer than all of the rest.
  const target = own ?? headingId(name);
  return ids.has(target) ? `#${target}` : href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether an address is on another site. */
export function isExternal(href: unknown, siteUrl: string | undefined): boolean {
  if (typeof href !== 'string' || !/^(https?:)?\/\//i.test(href)) return false;
  const base = siteUrl ?? 'http://site.invalid';
  return !URL.canParse(href, base) || new URL(href, base).origin !== base;
}

function decorateCell(node: Element): void {
  const { align, ...properties } = node.properties;
  if (align) node.properties = { ...properties, className: [`align-${align}`] };
}

function decorateTask(node: Element): void {
  const holder = node.children.find((child) => child.type === 'element' && child.tagName === 'p') as
    | Element
    | undefined;
  const children = (holder ?? node).children;
  const box = children.find((child): child is Element => child.type === 'element');
  if (box?.tagName !== 'input') return;
  node.properties.className = ['task-list-item'];
  box.properties.ariaLabel = cutText(
    toString(holder ?? node)
      .split('\n')[0]!
      .trim(),
    200,
  );
}

function element(tagName: string, properties: Element['properties'], children: Element['children']): Element {
  return { type: 'element', tagName, properties, children };
}
