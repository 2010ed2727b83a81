import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { uploadAddressOf } from '#app/media/library/path.ts';
import { cutText } from '#app/platform/text/graphemes.ts';
import { contentOf, element } from '#app/platform/text/hast.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import { ID_PREFIX } from './sanitize.ts';
import { plainTextOf } from './text.ts';
import { walkElements } from './walk.ts';

export interface Heading {
  /** 1 to 6, as in the text. */
  depth: number;
  id: string;
  text: string;
}

/**
 * Headings get ids and anchors, links their `rel`, tables a frame that scrolls. Runs on a sanitised tree.
 * @returns the headings in order.
 */
export function decorate(tree: Root, options: { siteUrl?: string }): Heading[] {
  const headings = decorateHeadings(tree);
  const ids = idsOf(tree);
  const wrapTables: (() => void)[] = [];
  walkElements(tree, (node, parent, index) => {
    if (node.tagName === 'a') decorateLink(node, ids, options.siteUrl);
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
function decorateHeadings(tree: Root): Heading[] {
  const nodes: Element[] = [];
  walkElements(tree, (node) => {
    if (headingName.test(node.tagName)) nodes.push(node);
  });
  const shift = nodes.some((node) => node.tagName === 'h1') ? 1 : 0;
  const used = idsOf(tree);
  const freeId = uniqueIds(used);
  const headings = nodes.map((node) => {
    const depth = Math.min(6, Number(node.tagName.slice(1)) + shift);
    const text = plainTextOf({ type: 'root', children: node.children }).replace(/\s+/g, ' ');
    const id = freeId(headingId(text));
    node.tagName = `h${depth}`;
    // An id that the author has set stays valid, on an element inside the heading.
    const own = node.properties.id;
    if (own) node.children.unshift(element('span', { id: own }, []));
    node.properties.id = id;
    return { depth, id, text };
  });
  addAnchorsOfIds(tree, used);
  const names = gitHubNames(headings);
  for (const [index, node] of nodes.entries()) {
    const { id } = headings[index]!;
    const other = anchorOf(names[index]!);
    const isNew = other !== '' && !used.has(other);
    used.add(other);
    const link = { className: ['heading-anchor'], id: isNew ? other : undefined, href: `#${id}` };
    node.children.push(element('a', { ...link, ariaHidden: 'true', tabIndex: -1 }, []));
  }
  return headings;
}

/**
 * The ids that GitHub, Hugo and Jekyll give to headings, by which posts that come from there link to them: signs are
 * removed, each space is a hyphen, and equal ones are numbered from 1.
 */
function gitHubNames(headings: Heading[]): string[] {
  const counts = new Map<string, number>();
  return headings.map(({ text }) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

/** A name of one plain word, which as an id would be a name that scripts can read. */
const plainWord = /^[\w$]+$/;

/** The id under which links from other posts find a part of a text, by the name that they use. */
function anchorOf(name: string): string {
  return plainWord.test(name) ? `section-${name}` : name;
}

const footnoteId = /^user-content-fn(?:ref)?-/;
/** Elements that contain no text themselves: what has an id of the text's own gets the anchor in its first part. */
const frames: ReadonlySet<string> = new Set([
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol', 'dl', 'details', 'colgroup'],
]);
const parts: ReadonlySet<string> = new Set([
  ...['li', 'td', 'th', 'dt', 'dd', 'summary', 'caption', 'figcaption'],
]);

/** Adds an anchor for each id of the text's own, before its element or in it. */
function addAnchorsOfIds(tree: Root, used: Set<string>): void {
  const before = new Map<Root | Element, Map<ElementContent, Element>>();
  walkElements(tree, (node, parent) => {
    const { id } = node.properties;
    if (typeof id !== 'string' || !id.startsWith(ID_PREFIX) || footnoteId.test(id)) return;
    const anchor = anchorOf(id.slice(ID_PREFIX.length));
    if (anchor === '' || used.has(anchor)) return;
    let holder: Element | undefined = node;
    while (holder && frames.has(holder.tagName))
      holder = holder.children.find((child): child is Element => child.type === 'element');
    const span = element('span', { id: anchor }, []);
    if (holder && parts.has(holder.tagName)) holder.children.unshift(span);
    else if (holder === node && !('tagName' in parent && frames.has(parent.tagName))) {
      const spans = before.get(parent) ?? new Map<ElementContent, Element>();
      before.set(parent, spans.set(node, span));
    } else return;
    used.add(anchor);
  });
  for (const [parent, spans] of before)
    parent.children = contentOf(parent).flatMap((child) => {
      const span = spans.get(child);
      return span ? [span, child] : [child];
    });
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

function decorateLink(node: Element, ids: ReadonlySet<string>, siteUrl: string | undefined): void {
  const { href } = node.properties;
  if (typeof href !== 'string') return;
  if (href.startsWith('#')) node.properties.href = fragmentTarget(href, ids);
  if (!isExternal(href, siteUrl)) {
    node.properties.href = partOfPost(String(node.properties.href));
    return;
  }
  const own = Array.isArray(node.properties.rel) ? node.properties.rel : [];
  node.properties.rel = [...new Set([...own, 'external', 'noopener'])];
}

/** Ids of the site's own pages around a text. */
const siteId = /^(?:content|comments|related|y\d+)$/;

/** A link to a part of another post, by the id that it has there. */
function partOfPost(href: string): string {
  const [, page, name = ''] = /^((?:https?:\/)?\/[^#]*)#([\w$]+)$/i.exec(href) ?? [];
  const isPart = page !== undefined && !page.includes('/uploads/') && !siteId.test(name);
  return isPart ? `${page}#${anchorOf(name)}` : href;
}

/** The id of the page that a link means. Authors link to the id that they wrote or to the text of a heading. */
function fragmentTarget(href: string, ids: ReadonlySet<string>): string {
  const name = decoded(href.slice(1));
  const own = [name, ID_PREFIX + name].find((candidate) => ids.has(candidate));
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
function isExternal(href: unknown, siteUrl: string | undefined): boolean {
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

/** What is known about one of the site's own images or films. */
interface ImageFacts {
  width: number;
  height: number;
  /** The copies and the original with their widths; `''` when there are no copies. */
  srcSet: string;
  /** `#rrggbb`; blank or absent for none. */
  color?: string;
}

/** The site's own images by their path, `/uploads/…`. */
export type OwnImages = ReadonlyMap<string, ImageFacts>;

const video = /\.(mp4|m4v|webm|ogv|mov)$/i;
const audio = /\.(mp3|m4a|aac|oga|ogg|opus|wav|flac)$/i;
/** Images wider than the text column are fetched at the width of the widest theme's column. */
const SIZES = '(min-width: 46rem) 720px, 100vw';
/** The same for figures that are wider than the column. */
const WIDER: Record<string, string> = { wide: '(min-width: 75rem) 1200px, 100vw', full: '100vw' };
/** Pictures of a gallery share its width. */
const GALLERY = '(min-width: 46rem) 360px, 50vw';
const WIDER_GALLERY = '(min-width: 46rem) 50vw, 100vw';

/**
 * Makes pictures load lazily and reserve their space, and gives films and sounds controls. `![](film.mp4)` becomes
 * a film, `![](paper.pdf)` a link. Nothing of a film or sound from elsewhere loads before the reader plays it.
 * @returns the addresses of all pictures, films and sounds.
 */
export function decorateMedia(tree: Root, options: { siteUrl?: string; ownImages?: OwnImages }): string[] {
  const mediaNodes: { node: Element; early: boolean; sizes: string }[] = [];
  const addresses = new Set<string>();
  tree.children.forEach((block, position) => {
    const sizes = sizesIn(block);
    walkElements({ type: 'root', children: [block] }, (node) => {
      if (!['img', 'video', 'audio', 'source'].includes(node.tagName)) return;
      if (typeof node.properties.src === 'string') addresses.add(node.properties.src);
      // Readers see the first blocks at once, so an image there must not load lazily.
      if (node.tagName !== 'source') mediaNodes.push({ node, early: position < 4, sizes });
    });
  });
  for (const [index, { node, early, sizes }] of mediaNodes.entries()) {
    if (node.tagName === 'img') replaceByType(node);
    if (node.tagName === 'a') continue;
    if (node.tagName !== 'img') {
      decoratePlayer(node, options.siteUrl);
      continue;
    }
    // Only sounds and films have these.
    delete node.properties.dataDuration;
    delete node.properties.dataPoster;
    node.properties.decoding = 'async';
    if (index > 0 || !early) node.properties.loading = 'lazy';
    node.properties.alt ??= '';
    const { src } = node.properties;
    const path = typeof src === 'string' ? uploadAddressOf(src, options.siteUrl) : null;
    const facts = path === null ? undefined : options.ownImages?.get(path);
    if (facts) reserveSpace(node, facts, sizes);
  }
  return [...addresses];
}

/** Turns a film or sound into a player and a document into a link: browsers would not show them as an image. */
function replaceByType(node: Element): void {
  const { src, alt, title, dataDuration, dataPoster } = node.properties;
  const path = String(src ?? '').replace(/[?#].*$/, '');
  const label = alt || title;
  if (/\.pdf$/i.test(path)) {
    const value = String(label || path.slice(path.lastIndexOf('/') + 1));
    Object.assign(node, { tagName: 'a', properties: { href: src }, children: [{ type: 'text', value }] });
    return;
  }
  const tagName = video.test(path) ? 'video' : audio.test(path) ? 'audio' : undefined;
  if (!tagName) return;
  node.tagName = tagName;
  const duration = tagName === 'audio' && dataDuration ? { dataDuration } : {};
  const poster = tagName === 'video' && dataPoster ? { poster: String(dataPoster) } : {};
  node.properties = { src, ...(label ? { ariaLabel: label } : {}), ...duration, ...poster };
}

function decoratePlayer(node: Element, siteUrl: string | undefined): void {
  const { properties } = node;
  let isElsewhere = isExternal(properties.src, siteUrl);
  walkElements({ type: 'root', children: node.children }, ({ properties: { src } }) => {
    isElsewhere ||= isExternal(src, siteUrl);
  });
  // A poster is not part of the text, so a poster on another site is simply removed.
  if (isExternal(properties.poster, siteUrl)) delete properties.poster;
  Object.assign(properties, { controls: true, preload: isElsewhere ? 'none' : 'metadata' });
}

/** The `sizes` attribute of the pictures in a block. */
function sizesIn(block: Root['children'][number]): string {
  const classes = block.type === 'element' ? block.properties.className : undefined;
  if (!Array.isArray(classes)) return SIZES;
  const size = classes.find((name) => WIDER[name] !== undefined);
  if (classes.includes('gallery')) return size === undefined ? GALLERY : WIDER_GALLERY;
  return size === undefined ? SIZES : WIDER[size]!;
}

function reserveSpace(node: Element, { width, height, srcSet, color }: ImageFacts, sizes: string): void {
  const { properties } = node;
  if (properties.width === undefined && properties.height === undefined)
    Object.assign(properties, { width, height });
  if (srcSet !== '' && !properties.srcSet) Object.assign(properties, { srcSet, sizes });
  if (color) properties.dataColor = color;
}
