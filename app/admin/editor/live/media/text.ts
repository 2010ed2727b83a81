import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** A picture, video or audio file in Markdown. */
export interface MediaText {
  alt: string;
  src: string;
  caption: string;
  /** `wide` or `full`; empty for the width of the text. */
  width: string;
  /** The picture adds nothing to the text, so it needs no description. */
  isDecorative: boolean;
  /** The length of an audio file, such as `1:02:30`; empty when unknown. */
  duration: string;
  /** The address of the picture that a video shows before it is played; empty for none. */
  poster: string;
  /** Length of the Markdown in UTF-16 units. */
  length: number;
  /** Set if the address is in a link reference definition elsewhere. Such a picture can be edited only as Markdown. */
  isReference?: true;
}

const pattern =
  /^!\[((?:\\.|[^\]\\])*)\]\(\s*(<[^<>\n]*>|[^\s()]*)(?:\s+"((?:\\.|[^"\\])*)")?\s*\)(?:\{((?:(?:\.(?:wide|full|decorative)|duration=[\d:]+|poster=\/uploads\/[^\s{}"'<>]+)\s*)+)\})?/;

/** What a picture with a description and nothing else has of the rest. */
export const PLAIN = { caption: '', width: '', isDecorative: false, duration: '', poster: '' };

/** The Markdown of a picture with a description and nothing else. */
export function pictureMarkdown({ alt, src }: { alt: string; src: string }): string {
  return writeMedia({ ...PLAIN, alt, src });
}

export function linkMarkdown(words: string, address: string): string {
  return `[${words.replace(/[[\]\\]/g, '\\$&')}](${linkTarget(address)})`;
}

/** An address as Markdown has it within `(…)`. */
export function linkTarget(address: string): string {
  return /[\s()]/.test(address) ? `<${address.replace(/[<>]/g, encodeURIComponent)}>` : address;
}

/**
 * Reads the picture, video or audio at the beginning of a text; null when the Markdown has a form that the editor can't
 * write.
 */
export function readMedia(text: string): MediaText | null {
  const match = pattern.exec(text);
  if (!match?.[2]) return null;
  const [whole, alt = '', src, caption = '', marks = ''] = match;
  return {
    alt: unescape(alt),
    src: src.replace(/^<|>$/g, ''),
    caption: unescape(caption),
    width: /\.(wide|full)(?=\s|$)/.exec(marks)?.[1] ?? '',
    isDecorative: /\.decorative(?=\s|$)/.test(marks),
    duration: /duration=([\d:]+)/.exec(marks)?.[1] ?? '',
    poster: /poster=(\S+)/.exec(marks)?.[1] ?? '',
    length: whole.length,
  };
}

export function writeMedia(media: Omit<MediaText, 'length'>): string {
  const { alt, src, caption, width, isDecorative, duration, poster } = media;
  const marks = [
    width && `.${width}`,
    isDecorative && '.decorative',
    duration && `duration=${duration}`,
    poster && `poster=${poster}`,
  ].filter(Boolean);
  const title = caption === '' ? '' : ` "${caption.replace(/["\\]/g, '\\$&')}"`;
  return `![${alt.replace(/[[\]\\]/g, '\\$&')}](${linkTarget(src)}${title})${marks.length === 0 ? '' : `{${marks.join(' ')}}`}`;
}

function unescape(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** The HTML element for a file, by its extension, as on the page (`decorateMedia`). */
export function readMediaKind(src: string): 'img' | 'video' | 'audio' {
  const path = src.replace(/[?#].*$/, '');
  if (/\.(mp4|m4v|webm|ogv|mov)$/i.test(path)) return 'video';
  return /\.(mp3|m4a|aac|oga|ogg|opus|wav|flac)$/i.test(path) ? 'audio' : 'img';
}

/** A picture of a gallery, with its position in the paragraph. */
export interface GalleryPicture extends MediaText {
  from: number;
}

/** Reads a paragraph of two or more pictures and nothing else, which is a gallery on the page; null for any other. */
export function readGallery(text: string): GalleryPicture[] | null {
  const pictures: GalleryPicture[] = [];
  let from = 0;
  while (from < text.length) {
    const media = readMedia(text.slice(from));
    if (!media || readMediaKind(media.src) !== 'img') return null;
    pictures.push({ ...media, from });
    from += media.length;
    from += /^\s*/.exec(text.slice(from))![0].length;
  }
  return pictures.length > 1 ? pictures : null;
}

/** The end of the gallery that touches or contains a position; null for none. */
export function endOfGallery(state: EditorState, at: number): number | null {
  let node = syntaxTree(state).resolve(at, -1);
  while (node.parent && node.name !== 'Paragraph') node = node.parent;
  if (node.name !== 'Paragraph') return null;
  return readGallery(state.sliceDoc(node.from, node.to)) ? node.to : null;
}
