import { z } from 'zod';
import type { Segment } from './ghost-body.ts';

const text = z.string().catch('');
const image = z.object({ src: text, alt: text, caption: text, title: text });

/** What cards of either editor carry, under the names that they have used. */
const card = z.object({
  markdown: text,
  html: text,
  src: text,
  alt: text,
  caption: text,
  title: text,
  code: text,
  language: text,
  url: text,
  metadata: z.object({ title: text }).catch({ title: '' }),
  images: z
    .array(image.extend({ src: text, fileName: text }))
    .catch([])
    .default([]),
  calloutText: text,
  calloutEmoji: text,
  heading: text,
  content: text,
  buttonText: text,
  buttonUrl: text,
  fileTitle: text,
  fileName: text,
});

/**
 * A card as HTML that the converter knows, or as the Markdown that it carries; null for a kind that is
 * unknown.
 */
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
      return { html: figure(picture(value), value.caption) };
    case 'gallery':
      return { html: figure(value.images.map(picture).join(''), value.caption) };
    case 'code':
    case 'codeblock':
      return {
        html: figure(
          `<pre><code class="language-${attribute(value.language)}">${escaped(value.code)}</code></pre>`,
          value.caption,
        ),
      };
    case 'hr':
    case 'horizontalrule':
      return { html: '<hr>' };
    case 'embed':
      return { html: value.html || link(value.url, value.url) };
    case 'bookmark':
      return { html: link(value.url, value.metadata.title || value.title || value.url) };
    case 'callout':
      return { html: `<blockquote><p>${escaped(value.calloutEmoji)} ${value.calloutText}</p></blockquote>` };
    case 'toggle':
      return { html: `<details><summary>${value.heading}</summary>${value.content}</details>` };
    case 'button':
      return { html: link(value.buttonUrl, value.buttonText) };
    case 'file':
      return { html: link(value.src, value.fileTitle || value.fileName || value.src) };
    case 'video':
    case 'audio':
      return { html: figure(`<${kind} src="${attribute(value.src)}"></${kind}>`, value.caption) };
    case 'email':
    case 'email-cta':
    case 'paywall':
    case 'signup':
      return { html: '' };
    default:
      return null;
  }
}

function picture({ src, alt, title }: { src: string; alt: string; title: string }): string {
  return `<img src="${attribute(src)}" alt="${attribute(alt)}" title="${attribute(title)}">`;
}

// Captions are HTML of Ghost's own editor.
function figure(content: string, caption: string): string {
  return `<figure>${content}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

function link(address: string, label: string): string {
  return `<p><a href="${attribute(address)}">${escaped(label)}</a></p>`;
}

export function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function attribute(value: string): string {
  return escaped(value).replaceAll('"', '&quot;');
}
