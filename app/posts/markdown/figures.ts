import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** A picture in a paragraph of pictures. */
interface Picture {
  image: Token;
  caption: string;
}

/**
 * Characters of captions that are still parsed. Only pictures that share the title of a definition have more than the
 * text: the captions after that are shown as they are written.
 */
interface CharactersLeft {
  characters: number;
}

const mark = String.raw`\.(?:wide|full|decorative)|duration=(?:(?:\d{1,2}:)?\d{1,3}:\d\d|\d{1,6})|poster=/uploads/[^\s{}\"'<>]+`;
const marks = new RegExp(String.raw`^\s*\{((?:${mark})(?:\s+(?:${mark}))*)\}\s*$`);
const player = /\.(mp4|m4v|webm|ogv|mov|mp3|m4a|aac|oga|ogg|opus|wav|flac)(?:[?#].*)?$/i;

/**
 * A paragraph that contains only one picture with a title becomes a figure with a caption; one with several pictures, a
 * gallery. Braces after a picture add facts: `{.wide}` or `{.full}` the width, `{.decorative}` that it needs no
 * description, `{duration=1:02:30}` the length of a sound, `{poster=/uploads/…}` the picture that a film shows before
 * it is played.
 */
export function figures(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'figures', (state) => {
    const left: CharactersLeft = { characters: state.src.length };
    for (const [index, token] of state.tokens.entries()) {
      const open = state.tokens[index - 1];
      if (token.type !== 'inline' || open?.type !== 'paragraph_open') continue;
      // Most paragraphs begin with text.
      if (token.children?.[0]?.type !== 'image') continue;
      const pictures = picturesOf(token.children);
      if (pictures) arrange(state, { open, inline: token, close: state.tokens[index + 1]! }, pictures, left);
    }
  });
}

interface PictureParagraph {
  pictures: Picture[];
  size: string | undefined;
  /** A picture is followed by facts in braces. */
  isMarked: boolean;
}

/** The pictures of a paragraph and their size; null if the paragraph contains anything else. */
function picturesOf(children: readonly Token[]): PictureParagraph | null {
  const pictures: Picture[] = [];
  let size: string | undefined;
  let isMarked = false;
  for (const child of children) {
    if (child.type === 'image')
      pictures.push({ image: child, caption: String(child.attrGet('title') ?? '') });
    else if (isFacts(child)) {
      const names = marks.exec(child.content)![1]!.split(/\s+/);
      isMarked = true;
      size ??= names.find((name) => name === '.wide' || name === '.full')?.slice(1);
      for (const fact of ['duration', 'poster']) {
        const value = names.find((name) => name.startsWith(`${fact}=`))?.slice(fact.length + 1);
        if (value) pictures.at(-1)?.image.attrSet(`data-${fact}`, value);
      }
      if (names.includes('.decorative')) pictures.at(-1)?.image.attrSet('role', 'presentation');
    } else if (
      !/^(soft|hard)break$/.test(child.type) &&
      (child.type !== 'text' || child.content.trim() !== '')
    )
      return null;
  }
  return { pictures, size, isMarked };
}

/** Facts in braces, which readers do not see. */
function isFacts({ type, content }: Token): boolean {
  return type === 'text' && marks.test(content);
}

function arrange(
  state: StateCore,
  { open, inline, close }: { open: Token; inline: Token; close: Token },
  { pictures, size, isMarked }: PictureParagraph,
  left: CharactersLeft,
): void {
  const isGallery = pictures.length > 1;
  const plays = ({ image }: Picture) => player.test(String(image.attrGet('src') ?? ''));
  if (isGallery ? pictures.some(plays) : pictures[0]!.caption === '' && size === undefined) {
    if (isMarked) inline.children = inline.children!.filter((child) => !isFacts(child));
    return;
  }
  open.tag = close.tag = isGallery ? 'div' : 'figure';
  // In a tight list, the paragraph's tags are hidden.
  open.hidden = close.hidden = false;
  const classes = [isGallery && 'gallery', size].filter(Boolean).join(' ');
  if (classes) open.attrSet('class', classes);
  inline.children = pictures.flatMap((picture) => {
    const captioned = withCaption(state, picture, left);
    return isGallery ? wrapped(state, 'figure', captioned) : captioned;
  });
}

function withCaption(state: StateCore, { image, caption }: Picture, left: CharactersLeft): Token[] {
  if (caption === '') return [image];
  image.attrs = image.attrs?.filter(([name]) => name !== 'title') ?? null;
  left.characters -= caption.length;
  const words = left.characters < 0 ? plainCaption(state, caption) : parseCaption(state, caption);
  return [image, ...wrapped(state, 'figcaption', words)];
}

function plainCaption(state: StateCore, caption: string): Token[] {
  const text = new state.Token('text', '', 0);
  text.content = caption;
  return [text];
}

/** The words of a caption as inline Markdown. HTML in it is shown as text, a picture as its description. */
function parseCaption(state: StateCore, caption: string): Token[] {
  const tokens: Token[] = [];
  state.md.inline.parse(caption, state.md, state.env, tokens);
  for (const token of tokens) if (token.type === 'html_inline') token.type = 'text';
  return tokens.flatMap((token) => (token.type === 'image' ? (token.children ?? []) : [token]));
}

function wrapped(state: StateCore, tag: string, children: Token[]): Token[] {
  const open = new state.Token(`${tag}_open`, tag, 1);
  const close = new state.Token(`${tag}_close`, tag, -1);
  return [open, ...children, close];
}

/**
 * A link that has a paragraph for itself, with braces behind it: `{.button}` makes it a button, and `{.bookmark}` a card
 * with its words, its title below them and the site that it leads to.
 */
export function markedLinks(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'marked-links', (state) => {
    if (!state.src.includes('{.b')) return;
    for (const [index, { type, children }] of state.tokens.entries()) {
      if (type !== 'inline' || state.tokens[index - 1]?.type !== 'paragraph_open') continue;
      const [, kind] = /^\{\.(button|bookmark)\}\s*$/.exec(children?.at(-1)?.content ?? '') ?? [];
      const [link] = children ?? [];
      if (kind === undefined || link?.type !== 'link_open' || !isOneLink(children!)) continue;
      link.attrSet('class', kind);
      children!.pop();
      if (kind === 'bookmark') addFacts(state, link, children!);
    }
  });
}

function isOneLink(children: readonly Token[]): boolean {
  return children.findIndex(({ type }) => type === 'link_close') === children.length - 2;
}

function addFacts(state: StateCore, link: Token, children: Token[]): void {
  const title = link.attrGet('title');
  link.attrs = link.attrs?.filter(([name]) => name !== 'title') ?? null;
  const address = String(link.attrGet('href') ?? '');
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : '';
  const close = children.pop()!;
  children.splice(1, 0, tagOf(state, 'strong', 1));
  children.push(tagOf(state, 'strong', -1));
  for (const [name, words] of [
    ['span', title ? String(title) : ''],
    ['small', host],
  ] as const) {
    if (words === '') continue;
    const text = new state.Token('text', '', 0);
    text.content = words;
    const space = new state.Token('text', '', 0);
    space.content = ' ';
    children.push(space, tagOf(state, name, 1), text, tagOf(state, name, -1));
  }
  children.push(close);
}

const tagOf = (state: StateCore, name: string, nesting: 1 | -1) =>
  new state.Token(`${name}_${nesting > 0 ? 'open' : 'close'}`, name, nesting);
