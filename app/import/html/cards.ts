import type { Element, ElementContent, Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { escapeText } from '#app/platform/text/html.ts';
import { embedAddress } from '#app/posts/markdown/embeds.ts';
import { codeNotes } from './code-info.ts';
import { buttonRow, captionOf, pictureFigure, pictureRow } from './figures.ts';
import { embedTarget, writtenTarget } from './media-address.ts';
import {
  attribute,
  classesOf,
  element,
  find,
  hasClass,
  isElement,
  replaceElements,
  textIn,
} from './nodes.ts';
import type { Verbatim } from './verbatim.ts';
import { wordsCard } from './widgets.ts';

/**
 * Replaces structures that editors build from several elements (pictures with captions, galleries, embeds, bookmarks,
 * code of highlighters) by what an author of Markdown would write.
 */
export function resolveCards(tree: Root, verbatim: Verbatim): void {
  replaceElements(tree, (node) => cardOf(node, verbatim));
}

function cardOf(node: Element, verbatim: Verbatim): ElementContent[] | undefined {
  switch (node.tagName) {
    case 'iframe':
    case 'embed':
    case 'object':
      return embedded(writtenTarget(node), attribute(node, 'title'));
    case 'video':
    case 'audio':
      return player(node);
    case 'details':
      return details(node, verbatim);
    case 'figure':
      return figure(node, verbatim);
    case 'pre':
      return [codeBlock(node, verbatim)];
    case 'span':
      return hasClass(node, 'crayon-inline') ? [element('code', [codeText(node)])] : undefined;
    case 'div':
      return divCard(node, verbatim);
    case 'ul':
      return pictureRow(node, verbatim) ?? undefined;
    case 'a':
      return fileLink(node);
    default:
      return undefined;
  }
}

function figure(node: Element, verbatim: Verbatim): ElementContent[] {
  const bookmark = find(node, (child) => hasClass(child, 'kg-bookmark-container'));
  const pictures = bookmark ? null : pictureFigure(node, verbatim);
  if (pictures) return pictures;
  const content = bookmark ? bookmarkLink(bookmark) : contentOf(node, verbatim);
  const caption = captionOf(node);
  return caption.length > 0 ? [...content, element('p', [element('em', caption)])] : content;
}

/** A player with its title. */
function titled(playing: Element, title: Element | undefined): ElementContent[] {
  const name = textIn(title);
  return player({ ...playing, properties: { ...playing.properties, ...(name !== '' && { title: name }) } });
}

function contentOf(node: Element, verbatim: Verbatim): ElementContent[] {
  if (classesOf(node).some((name) => /^(wp-block-embed|wp-block-video-embed)/.test(name))) {
    const address = /https?:\/\/\S+/.exec(toString(node))?.[0];
    if (address && !find(node, (child) => ['iframe', 'img', 'blockquote'].includes(child.tagName)))
      return embedded(address, '');
  }
  const film = hasClass(node, 'kg-video-card') && find(node, (child) => child.tagName === 'video');
  if (film) return player(film);
  const rest = element(
    'div',
    node.children.filter((child) => !isElement(child, 'figcaption')),
  );
  replaceElements(rest, (child) => (child.tagName === 'figcaption' ? [] : cardOf(child, verbatim)));
  return rest.children;
}

function divCard(node: Element, verbatim: Verbatim): ElementContent[] | undefined {
  const row = pictureRow(node, verbatim) ?? buttonRow(node) ?? wordsCard(node);
  if (row) return row;
  if (hasClass(node, 'wp-block-file')) return fileOfWordpress(node);
  if (hasClass(node, 'graf--mixtapeEmbed')) return bookmarkOfMedium(node);
  // The player's buttons and times are dropped.
  const playing = hasClass(node, 'kg-audio-card') && find(node, (child) => child.tagName === 'audio');
  if (playing)
    return titled(
      playing,
      find(node, (child) => hasClass(child, 'kg-audio-title')),
    );
  if (hasClass(node, 'kg-toggle-card')) {
    const heading = find(node, (child) => hasClass(child, 'kg-toggle-heading-text'));
    const content = find(node, (child) => hasClass(child, 'kg-toggle-content'));
    if (!heading) return undefined;
    return details(
      element('details', [element('summary', [toString(heading)]), ...(content?.children ?? [])]),
      verbatim,
    );
  }
  return undefined;
}

function bookmarkLink(container: Element): ElementContent[] {
  const address = attribute(container, 'href');
  const title = find(container, (child) => hasClass(child, 'kg-bookmark-title'));
  return embedded(address, textIn(title));
}

// WordPress's block links to its file three times: as preview, name and button. One link is enough.
function fileOfWordpress(block: Element): ElementContent[] | undefined {
  const link = find(block, (child) => child.tagName === 'a' && attribute(child, 'href') !== '');
  return link && [element('p', [link])];
}

function bookmarkOfMedium(card: Element): ElementContent[] | undefined {
  const link = find(card, (child) => child.tagName === 'a');
  const title = find(card, (child) => child.tagName === 'strong');
  return link && embedded(attribute(link, 'href'), textIn(title));
}

// Replaces a card whose link contains blocks.
function fileLink(node: Element): ElementContent[] | undefined {
  if (!hasClass(node, 'kg-file-card-container')) return undefined;
  const title = find(node, (child) => hasClass(child, 'kg-file-card-title'));
  return embedded(attribute(node, 'href'), textIn(title));
}

/** An embedded page as a link in a paragraph of its own; without an address, only its title. */
function embedded(address: string, title: string): ElementContent[] {
  const target = embedTarget(address);
  if (target === null) return title === '' ? [] : [element('p', [title])];
  const isShown =
    URL.canParse(target) &&
    // The site embeds what such an address shows if the address is alone in its paragraph.
    embedAddress(target, [new URL(target).hostname.replace(/^(www|m)\./, '')]) !== null;
  return [element('p', [element('a', [isShown ? target : title || target], { href: target })])];
}

const playable = /\.(mp4|m4v|webm|ogv|mov|mp3|m4a|aac|oga|ogg|opus|wav|flac)(?:[?#]|$)/i;

/** A film or sound as an image, which the site shows as a player. */
function player(node: Element): ElementContent[] {
  const address = writtenTarget(node);
  const label = attribute(node, 'title') || attribute(node, 'ariaLabel');
  return playable.test(address)
    ? [element('p', [element('img', [], { src: address, alt: label })])]
    : embedded(address, label);
}

function details(node: Element, verbatim: Verbatim): ElementContent[] {
  const summary = node.children.find((child) => isElement(child, 'summary'));
  const body = element(
    'div',
    node.children.filter((child) => child !== summary),
  );
  replaceElements(body, (child) => cardOf(child, verbatim));
  const text = summary ? toHtmlLine(toString(summary).trim()) : '';
  return [
    element('p', [verbatim.add(`<details><summary>${text}</summary>`)]),
    ...body.children,
    element('p', [verbatim.add('</details>')]),
  ];
}

/** A plain text as HTML on one line. */
export function toHtmlLine(text: string): string {
  return escapeText(text).replace(/\s+/g, ' ');
}

/** A code block with its text, and its language if an editor or a highlighter names one. */
function codeBlock(node: Element, verbatim: Verbatim): Element {
  const code = find(node, (child) => child.tagName === 'code');
  const language = [node, ...(code ? [code] : [])].map(languageOf).find((name) => name !== '') ?? '';
  const of = (name: string) => attribute(node, name) || (code ? attribute(code, name) : '');
  const notes = codeNotes({
    title: of('dataTitle') || of('dataEnlighterTitle') || of('title'),
    lines: of('dataLines') || of('dataEnlighterHighlight') || of('dataLine'),
  });
  // Notes need a language before them.
  const info = notes === '' ? language : (language || 'text') + verbatim.add(notes);
  const properties = info === '' ? {} : { className: [`language-${info}`] };
  return element('pre', [element('code', [codeText(node)], properties)]);
}

// Line ends may be elements.
function codeText(node: Element): string {
  return node.children
    .map((child) => {
      if (isElement(child, 'br')) return '\n';
      if (isElement(child)) return codeText(child);
      return child.type === 'text' ? child.value : '';
    })
    .join('');
}

function languageOf(node: Element): string {
  for (const name of classesOf(node)) {
    // Crayon writes `lang:php`.
    const match = /^(?:language-|lang-|lang:)([\w+#.-]+)$/.exec(name);
    if (match) return match[1]!.toLowerCase();
  }
  // SyntaxHighlighter writes `class="brush: php; gutter: false"`.
  const brush = /brush:\s*([\w+#.-]+)/.exec(classesOf(node).join(' '));
  const named =
    brush?.[1] ??
    (attribute(node, 'dataEnlighterLanguage') ||
      attribute(node, 'dataCodeBlockLang') ||
      attribute(node, 'lang'));
  return /^[\w+#.-]{1,30}$/.test(named) ? named.toLowerCase() : '';
}
