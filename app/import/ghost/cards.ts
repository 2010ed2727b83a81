import * as z from 'zod';
import { recordOf } from '#app/platform/narrow.ts';
import { escapeAttribute, escapeText } from '#app/platform/text/html.ts';

/** A stretch of a document: HTML, or Markdown that somebody typed. */
export type Segment = { html: string; lost?: string } | { markdown: string };

const text = z.string().catch('');
const image = z.object({ src: text, alt: text, caption: text, title: text });

/** The fields of cards, under their names in both editors. */
const texts = [
  ...(['markdown', 'html', 'src', 'href', 'alt', 'caption', 'title', 'code', 'language', 'url'] as const),
  ...(['calloutText', 'calloutEmoji', 'heading', 'content', 'buttonText', 'buttonUrl', 'fileTitle'] as const),
  ...(['fileName', 'backgroundColor', 'backgroundImageSrc', 'header', 'subheader', 'cardWidth'] as const),
  ...(['productImageSrc', 'productTitle', 'productDescription', 'productButton', 'productUrl'] as const),
  ...(['imageUrl', 'sponsorLabel', 'textValue'] as const),
];
const card = z.object({
  ...recordOf(texts, () => text),
  metadata: z.object({ title: text }).catch({ title: '' }),
  images: z.array(image).catch([]).default([]),
  productRatingEnabled: z.boolean().catch(false),
  productStarRating: z.number().catch(0),
});

/** A card as HTML that the converter knows, or as its Markdown; null for an unknown kind. */
export function readCard(kind: string, payload: unknown): Segment | null {
  const parsed = card.safeParse(payload);
  if (!parsed.success) return null;
  const value = parsed.data;
  switch (kind) {
    case 'markdown':
    case 'card-markdown':
      return { markdown: value.markdown };
    case 'html':
      return { html: value.html };
    case 'image':
      return { html: figure(linked(picture(value), value.href), value.caption, value.cardWidth) };
    case 'gallery':
      return value.images.length === 0
        ? { html: '', lost: 'A gallery without pictures was left out.' }
        : { html: figure(value.images.map(picture).join(''), value.caption, value.cardWidth) };
    case 'code':
    case 'codeblock':
      return {
        html: figure(
          `<pre><code class="language-${escapeAttribute(value.language)}">${escapeText(value.code)}</code></pre>`,
          value.caption,
        ),
      };
    case 'hr':
    case 'horizontalrule':
      return { html: '<hr>' };
    case 'embed':
      return {
        html:
          /\s(?:src|href)=/i.test(value.html) || value.url === ''
            ? value.html || frame('')
            : frame(value.url),
      };
    case 'bookmark':
      return {
        html: link(value.url, value.metadata.title || value.title || value.url),
        ...(value.url === '' && { lost: 'A bookmark without an address became text.' }),
      };
    case 'callout':
      return {
        html: `<div class="kg-callout-card kg-callout-card-${escapeAttribute(value.backgroundColor)}"><div class="kg-callout-emoji">${escapeText(value.calloutEmoji)}</div><div class="kg-callout-text">${value.calloutText}</div></div>`,
      };
    case 'toggle':
      return { html: `<details><summary>${value.heading}</summary>${value.content}</details>` };
    case 'button':
      return { html: link(value.buttonUrl, value.buttonText) };
    case 'file':
      return {
        html: link(value.src, value.fileTitle || value.fileName || value.src),
        ...(value.src === '' && { lost: 'A file without an address became text.' }),
      };
    case 'video':
    case 'audio':
      return {
        html: figure(
          `<${kind} src="${escapeAttribute(value.src)}" title="${escapeAttribute(value.title)}"></${kind}>`,
          value.caption,
        ),
      };
    case 'header':
      return {
        html: cardHtml(
          { picture: value.backgroundImageSrc, heading: value.header, texts: [value.subheader] },
          value,
        ),
      };
    case 'product':
      return {
        html: cardHtml(
          {
            picture: value.productImageSrc,
            heading: value.productTitle,
            texts: [stars(value), value.productDescription],
          },
          { buttonText: value.productButton, buttonUrl: value.productUrl },
        ),
      };
    case 'call-to-action':
      return {
        html: cardHtml({ picture: value.imageUrl, texts: [value.sponsorLabel, value.textValue] }, value),
      };
    case 'paywall':
      return { html: '' };
    case 'email':
    case 'email-cta':
      return { html: '', lost: 'What only emails show was left out.' };
    case 'signup':
      return { html: '', lost: 'The signup card was left out.' };
    case 'transistor':
      return { html: '', lost: 'The Transistor card was left out.' };
    default:
      return null;
  }
}

/** A card of an unknown kind, of which only the text is kept. */
export function unknownCard(kind: string, html = ''): Segment {
  return html === '' ? { html, lost: `The card “${kind}” is unknown and was left out.` } : { html };
}

/** A card with a picture, a text and a button. */
function cardHtml(
  { picture: src, heading = '', texts }: { picture: string; heading?: string; texts: string[] },
  { buttonText, buttonUrl }: { buttonText: string; buttonUrl: string },
): string {
  return [
    src === '' ? '' : `<p>${picture({ src, alt: '', title: '' })}</p>`,
    heading === '' ? '' : `<h3>${heading}</h3>`,
    ...texts.map((html) =>
      html === '' ? '' : /^\s*<(p|ul|ol|h\d)[\s>]/i.test(html) ? html : `<p>${html}</p>`,
    ),
    buttonUrl === '' || buttonText === '' ? '' : link(buttonUrl, buttonText),
  ].join('');
}

function stars({
  productRatingEnabled,
  productStarRating,
}: {
  productRatingEnabled: boolean;
  productStarRating: number;
}): string {
  const count = Math.min(5, Math.max(0, Math.round(productStarRating)));
  return productRatingEnabled ? `${'★'.repeat(count)}${'☆'.repeat(5 - count)}` : '';
}

function picture({ src, alt, title }: { src: string; alt: string; title: string }): string {
  return `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}" title="${escapeAttribute(title)}">`;
}

function linked(html: string, href: string): string {
  return href === '' ? html : `<a href="${escapeAttribute(href)}">${html}</a>`;
}

// Captions are HTML of Ghost's own editor.
function figure(content: string, caption: string, width = ''): string {
  const size = width === '' ? '' : ` class="kg-width-${escapeAttribute(width)}"`;
  return `<figure${size}>${content}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** The converter makes a link of the frame, or a warning without an address. */
function frame(address: string): string {
  return `<iframe src="${escapeAttribute(address)}"></iframe>`;
}

function link(address: string, label: string): string {
  return `<p><a href="${escapeAttribute(address)}">${escapeText(label)}</a></p>`;
}
