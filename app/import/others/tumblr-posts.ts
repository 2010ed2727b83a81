import { SaxesParser } from 'saxes';
import { invalidInput } from '#app/platform/errors.ts';
import { escapeAttribute } from '#app/platform/text/html.ts';

/** An element of the XML, with its content. */
export interface TumblrElement {
  name: string;
  attributes: Record<string, string>;
  /** HTML, in most of them. */
  text: string;
  children: TumblrElement[];
}

/**
 * The posts of a file in the form of Tumblr's first API (`/api/read`), which its export (`posts.xml`) has too.
 * @throws AppError `invalid_input` for another file
 */
export function readTumblrPosts(xml: string): TumblrElement[] {
  const posts: TumblrElement[] = [];
  const open: TumblrElement[] = [];
  let isTumblr = false;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw invalidInput(`The file cannot be read as XML: ${error.message}`);
  });
  const collect = (part: string) => {
    const inside = open.at(-1);
    if (inside) inside.text += part;
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('opentag', ({ name, attributes }) => {
    isTumblr ||= name === 'tumblr';
    // Outside of posts nothing is kept.
    if (open.length === 0 && name !== 'post') return;
    const made: TumblrElement = { name, attributes, text: '', children: [] };
    open.at(-1)?.children.push(made);
    open.push(made);
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed && open.length === 0) posts.push(closed);
  });
  parser.write(xml).close();
  if (!isTumblr)
    throw invalidInput(
      'This is not an export of Tumblr: the file `posts.xml` of its ZIP file begins with <tumblr>.',
    );
  return posts;
}

/** The text of an element of a post, `''` without it. */
function textOf(post: TumblrElement, name: string): string {
  return post.children.find((child) => child.name === name)?.text.trim() ?? '';
}

/** The title and the HTML of a post, by its type. */
export function contentOf(post: TumblrElement): { title: string; html: string } {
  const of = (name: string) => textOf(post, name);
  switch (typeOf(post)) {
    case 'photo':
      return { title: '', html: photosOf(post) + of('photo-caption') };
    case 'quote':
      return { title: '', html: `<blockquote>${of('quote-text')}</blockquote><p>${of('quote-source')}</p>` };
    case 'link': {
      const [title, address] = [of('link-text'), of('link-url')];
      const link = `<p><a href="${escapeAttribute(address)}">${title || escapeAttribute(address)}</a></p>`;
      return { title, html: link + of('link-description') };
    }
    case 'conversation':
      return { title: of('conversation-title'), html: linesOf(post) };
    case 'video':
      return { title: '', html: playerOf(of('video-source'), of('video-player')) + of('video-caption') };
    case 'audio':
      return {
        title: of('id3-title'),
        html: (of('audio-embed') || of('audio-player')) + of('audio-caption'),
      };
    case 'answer':
      return { title: '', html: `<blockquote>${of('question')}</blockquote>${of('answer')}` };
    default:
      return { title: of('regular-title'), html: of('regular-body') };
  }
}

const types = new Set(['regular', 'photo', 'quote', 'link', 'conversation', 'video', 'audio', 'answer']);

/** True for a post of a type that this file does not know: nothing of it is read. */
export function isUnknownType(post: TumblrElement): boolean {
  return !types.has(typeOf(post)) && textOf(post, 'regular-body') === '';
}

export function typeOf({ attributes }: TumblrElement): string {
  return (attributes.type ?? '').toLowerCase();
}

/** Pictures of one set are side by side. */
function photosOf(post: TumblrElement): string {
  const set = post.children.find(({ name }) => name === 'photoset');
  const photos = set ? set.children.filter(({ name }) => name === 'photo') : [post];
  const pictures = photos.flatMap((photo) => {
    const largest = photo.children
      .filter(({ name }) => name === 'photo-url')
      .sort((a, b) => Number(b.attributes['max-width']) - Number(a.attributes['max-width']))[0];
    if (!largest) return [];
    const caption = photo === post ? '' : (photo.attributes.caption ?? '');
    return [`<img src="${escapeAttribute(largest.text.trim())}" alt="${escapeAttribute(caption)}">`];
  });
  const row = `<p>${pictures.join('\n')}</p>`;
  const target = textOf(post, 'photo-link-url');
  return pictures.length === 1 && target !== ''
    ? `<p><a href="${escapeAttribute(target)}">${pictures[0]}</a></p>`
    : row;
}

function linesOf(post: TumblrElement): string {
  const lines = post.children.find(({ name }) => name === 'conversation')?.children ?? [];
  return lines
    .map(
      ({ attributes, text }) => `<p><strong>${escapeAttribute(attributes.label ?? '')}</strong> ${text}</p>`,
    )
    .join('');
}

/** The film's address if there is one, else the first of the players, which differ in size only. */
function playerOf(source: string, player: string): string {
  return /^https?:\/\/\S+$/.test(source) ? `<iframe src="${escapeAttribute(source)}"></iframe>` : player;
}
