import type { Element, ElementContent, Properties, Root } from 'hast';
import { type Options as Schema } from 'rehype-sanitize';
import { element, textNode } from '#app/platform/text/hast.ts';
import { calloutKinds } from './callouts.ts';
import { walkElements } from './walk.ts';

/** Prefix of ids that come from a text, so that they cannot shadow names that scripts use. */
export const ID_PREFIX = 'user-content-';

const linkSchemes = ['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'irc', 'ircs', 'xmpp'];
const mediaSchemes = ['http', 'https'];
const pixels: [string, RegExp] = ['width', /^\d{1,5}$/];
const size = [pixels, ['height', /^\d{1,5}$/] as [string, RegExp]];
const poster: [string, RegExp] = ['dataPoster', /^\/uploads\/\S+$/];
// The length of a sound, as `1:02:30` or in seconds.
const duration: [string, RegExp] = ['dataDuration', /^(?:(?:\d{1,2}:)?\d{1,3}:\d\d|\d{1,6})$/];
const playback = ['src', 'loop', 'muted', 'controls', 'preload'];

/** What may be in a post (docs/markdown.md lists it for people); everything else is removed, except its text. */
export const schema: Schema = {
  tagNames: [
    ...['p', 'br', 'hr', 'wbr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'div', 'section', 'blockquote', 'pre'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
    ...['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q'],
    ...['rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var'],
    ...['img', 'picture', 'source', 'video', 'audio', 'track', 'input'],
  ],
  attributes: {
    '*': ['id', 'lang', 'dir', 'title', 'ariaLabel', 'ariaHidden'],
    a: [
      'href',
      ['className', 'button', 'bookmark'],
      ['rel', /^(nofollow|ugc|sponsored|me|author|license|tag|noreferrer)$/],
      ['role', /^doc-/],
    ],
    blockquote: ['cite'],
    q: ['cite'],
    del: ['cite', 'dateTime'],
    ins: ['cite', 'dateTime'],
    time: ['dateTime'],
    // Other modules read the `data-` attributes and remove them before the page is served (markdown-fences,
    // markdown-math).
    code: [
      ['className', /^language-./],
      ['dataMath', 'inline', 'block'],
      'dataTitle',
      ['dataLines', /^[\d,-]+$/],
    ],
    div: [
      ['className', 'gallery', 'wide', 'full', 'callout', ...calloutKinds.map((kind) => `callout-${kind}`)],
      ['role', 'note'],
    ],
    p: [['className', 'callout-title']],
    figure: [['className', 'wide', 'full']],
    details: ['open'],
    ol: ['start', 'reversed', ['type', 'a', 'A', 'i', 'I', '1']],
    li: ['value'],
    section: [
      ['className', 'footnotes'],
      ['role', 'doc-endnotes'],
    ],
    col: ['span'],
    colgroup: ['span'],
    th: ['colSpan', 'rowSpan', 'scope', 'abbr', ['align', 'left', 'center', 'right']],
    td: ['colSpan', 'rowSpan', ['align', 'left', 'center', 'right']],
    img: ['src', 'srcSet', 'sizes', 'alt', ['role', 'presentation'], duration, poster, ...size],
    source: ['src', 'srcSet', 'sizes', 'media', 'type', ...size],
    video: [...playback, 'poster', 'playsInline', ...size],
    audio: [...playback, duration],
    track: ['src', 'srcLang', 'label', 'kind', 'default'],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
  },
  ancestors: {
    ...Object.fromEntries(
      ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [
        name,
        ['table'],
      ]),
    ),
    source: ['picture', 'video', 'audio'],
    track: ['video', 'audio'],
    summary: ['details'],
    input: ['li'],
  },
  protocols: { href: linkSchemes, cite: mediaSchemes, src: mediaSchemes, poster: mediaSchemes },
  clobber: ['id'],
  clobberPrefix: ID_PREFIX,
  required: { input: { type: 'checkbox', disabled: true } },
  // The text of these elements is dropped too.
  strip: [
    ...['script', 'style', 'template', 'noscript', 'noembed', 'noframes', 'iframe', 'object', 'embed'],
    ...['svg', 'math', 'select'],
  ],
};

/** Runs before the sanitiser: gives a harmless form to what the sanitiser would drop. */
export function convertUnsafeMarkup() {
  return (tree: Root): void => {
    walkElements(tree, (node, parent, index) => {
      if (node.tagName === 'iframe') {
        const link = frameAsLink(node);
        if (link) parent.children[index] = link;
        return;
      }
      const { properties } = node;
      if (node.tagName === 'a' && properties.name && !properties.id) properties.id = properties.name;
      for (const name of ['href', 'src', 'poster', 'cite']) normaliseScheme(properties, name);
      if (typeof properties.srcSet === 'string' && !isSafeSrcSet(properties.srcSet)) delete properties.srcSet;
    });
  };
}

/** An embedded page becomes a link to it: embeds that run code are not for posts. */
function frameAsLink(frame: Element): ElementContent | null {
  const { src, title } = frame.properties;
  if (typeof src !== 'string' || !/^(https?:)?\/\//i.test(src)) return null;
  const text = typeof title === 'string' && title.trim() !== '' ? title : src;
  return element('a', { href: src }, [textNode(text)]);
}

// The sanitiser compares schemes letter by letter; browsers ignore case and leading spaces.
function normaliseScheme(properties: Properties, name: string): void {
  const value = properties[name];
  if (typeof value !== 'string') return;
  properties[name] = value.trim().replace(/^[a-z][a-z0-9+.-]*:/i, (scheme) => scheme.toLowerCase());
}

function isSafeSrcSet(value: string): boolean {
  return value.split(',').every((candidate) => /^\s*(https?:|[^:]*([/?#]|\s|$))/i.test(candidate));
}
