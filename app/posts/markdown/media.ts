import type { Element, Root } from 'hast';
import { uploadAddressOf } from '#app/media/library/path.ts';
import { isExternal } from './decorate.ts';
import { walkElements } from './walk.ts';

/** What is known about one of the site's own images or films. */
export interface ImageFacts {
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
