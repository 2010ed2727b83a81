import type { Element, ElementContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { withoutQuery } from '#app/platform/http/paths.ts';
import {
  attribute,
  classesOf,
  element,
  find,
  findAll,
  hasClass,
  isBlank,
  isElement,
  textNode,
} from './nodes.ts';
import type { Verbatim } from './verbatim.ts';

/** A picture with its caption. */
interface Picture {
  /** An `img`, or the link around it. */
  node: Element;
  caption: ElementContent[];
}

/**
 * A figure of one picture, or a gallery, as the site writes them: pictures of one paragraph are in a row, and a
 * picture's title is its caption. Null for a figure of anything else.
 */
export function pictureFigure(figure: Element, verbatim: Verbatim): ElementContent[] | null {
  const caption = captionOf(figure);
  const rest = withoutCaption(figure);
  const inner = findAll(rest, isFigure);
  if (inner.length > 0) {
    // Figures within figures of figures are no gallery; unended tags nest thousands of them.
    if (inner.some((child) => find(child, isFigure))) return null;
    const pictures = inner.map(pictureOf);
    const text = inner.map((child) => toString(child)).join('');
    if (pictures.includes(null) || squeezed(toString(rest)) !== squeezed(text)) return null;
    return [...rowOf(pictures as Picture[], sizeOf(figure), verbatim), ...captionBelow(caption)];
  }
  const pictures = picturesOf(rest);
  if (!pictures) return null;
  const [only] = pictures;
  if (pictures.length === 1) return rowOf([{ node: only!, caption }], sizeOf(figure), verbatim);
  const row = pictures.map((node) => ({ node, caption: [] }));
  return [...rowOf(row, sizeOf(figure), verbatim), ...captionBelow(caption)];
}

/** Galleries outside figures, and columns that contain only pictures, as rows; null for any other element. */
export function pictureRow(node: Element, verbatim: Verbatim): ElementContent[] | null {
  const isRow = classesOf(node).some((name) =>
    /^(wp-block-columns|sectionLayout--outsetRow|(?:.*[-_])?gallery(?:[-_](?!item|caption).*)?)$/.test(name),
  );
  if (!isRow) return null;
  const figures = findAll(node, isFigure);
  const pictures = figures.length > 0 ? figures.map(pictureOf) : looseOf(node);
  if (pictures === null || pictures.length < 2 || pictures.includes(null)) return null;
  const text = figures.map((figure) => toString(figure)).join('');
  if (squeezed(toString(node)) !== squeezed(text)) return null;
  return rowOf(pictures as Picture[], sizeOf(node), verbatim);
}

/** True for a wide figure of a picture that leads elsewhere: Markdown gives a picture inside a link no width. */
export function losesWidth(figure: Element): boolean {
  if (sizeOf(figure) === '') return false;
  return picturesOf(withoutCaption(figure))?.some(({ tagName }) => tagName === 'a') ?? false;
}

/** A row of buttons is a paragraph of links. */
export function buttonRow(node: Element): ElementContent[] | null {
  if (!hasClass(node, 'wp-block-buttons')) return null;
  const links = findAll(node, ({ tagName }) => tagName === 'a');
  if (links.length === 0 || squeezed(toString(node)) !== squeezed(links.map((a) => toString(a)).join('')))
    return null;
  return [
    element(
      'p',
      links.flatMap((link, index) => (index === 0 ? [link] : [' ', link])),
    ),
  ];
}

const isFigure = ({ tagName }: Element) => tagName === 'figure';

function looseOf(node: Element): Picture[] | null {
  return picturesOf(node)?.map((picture) => ({ node: picture, caption: [] })) ?? null;
}

function pictureOf(figure: Element): Picture | null {
  const pictures = picturesOf(withoutCaption(figure));
  return pictures?.length === 1 ? { node: pictures[0]!, caption: captionOf(figure) } : null;
}

/** The pictures of an element without other content; null for any other element. */
function picturesOf(node: Element): Element[] | null {
  if (squeezed(toString(node)) !== '') return null;
  const isOther = ({ tagName }: Element) => /^(iframe|video|audio|object|embed|table|pre|hr)$/.test(tagName);
  if (find(node, isOther)) return null;
  const pictures = findAll(node, (child) => child.tagName === 'img' || isLinkedPicture(child));
  return pictures.length === 0 ? null : pictures.map(withoutOwnLink);
}

function isLinkedPicture(node: Element): boolean {
  return node.tagName === 'a' && find(node, (child) => child.tagName === 'img') !== undefined;
}

/** Removes a link to the picture's full size, which the site shows, or to a page about the picture. */
function withoutOwnLink(node: Element): Element {
  const image = node.tagName === 'a' ? find(node, ({ tagName }) => tagName === 'img') : undefined;
  if (!image) return node;
  const { rel } = node.properties;
  if (Array.isArray(rel) && rel.includes('attachment')) return image;
  const [href, src] = [attribute(node, 'href'), attribute(image, 'src')];
  const isSame = /\.(png|jpe?g|gif|webp|avif)$/i.test(withoutQuery(href)) && stemOf(href) === stemOf(src);
  return isSame ? { ...image, properties: { ...image.properties, src: href } } : node;
}

// Hosts of pictures and the size at the end of a name differ between a picture and its copies.
function stemOf(address: string): string {
  return withoutQuery(address)
    .replace(/^.*\//s, '')
    .replace(/-(?:\d+x\d+|scaled)(?=\.\w+$)/, '');
}

/**
 * Pictures with plain captions share a paragraph. A picture with a link or a formatted caption gets a paragraph of its
 * own.
 */
function rowOf(pictures: Picture[], size: string, verbatim: Verbatim): ElementContent[] {
  const made: ElementContent[] = [];
  let row: ElementContent[] = [];
  const endRow = () => {
    const mark = size === '' ? [] : [textNode(verbatim.add(` {.${size}}`))];
    if (row.length > 0) made.push(element('p', [...row, ...mark]));
    row = [];
  };
  for (const { node, caption } of pictures) {
    const plain = plainText(caption);
    if (isElement(node, 'img') && plain !== null) {
      if (row.length > 0) row.push(textNode('\n'));
      row.push(
        plain === '' ? node : { ...node, properties: { ...node.properties, title: asMarkdown(plain) } },
      );
      continue;
    }
    endRow();
    made.push(element('p', [node]), ...captionBelow(caption));
  }
  endRow();
  return made;
}

/** Escapes what a caption would mean as Markdown. */
function asMarkdown(plain: string): string {
  return plain.replace(/[\\`*[\]~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&');
}

/** A caption as a plain text for a title; null for a caption with links or emphasis. */
function plainText(caption: ElementContent[]): string | null {
  const parts = caption.map((node): string | null => {
    if (node.type === 'text') return node.value;
    if (!isElement(node)) return '';
    if (node.tagName === 'br') return ' ';
    return ['span', 'p', 'div', 'small', 'font'].includes(node.tagName) ? plainText(node.children) : null;
  });
  return parts.includes(null) ? null : parts.join('').replace(/\s+/g, ' ').trim();
}

function captionBelow(caption: ElementContent[]): ElementContent[] {
  const isEmpty = caption.every(isBlank);
  return isEmpty ? [] : [element('p', [element('em', caption)])];
}

/** The content of a figure's caption; empty without one. */
export function captionOf(figure: Element): ElementContent[] {
  const node = figure.children.find((child) => isElement(child, 'figcaption'));
  return isElement(node) && toString(node).trim() !== '' ? node.children : [];
}

function withoutCaption(figure: Element): Element {
  return element(
    'div',
    figure.children.filter((child) => !isElement(child, 'figcaption')),
  );
}

function sizeOf(node: Element): string {
  if (['alignfull', 'kg-width-full'].some((name) => hasClass(node, name))) return 'full';
  return ['alignwide', 'kg-width-wide'].some((name) => hasClass(node, name)) ? 'wide' : '';
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
