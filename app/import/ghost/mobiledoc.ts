import * as z from 'zod';
import { AppError } from '#app/platform/errors.ts';
import { escapeAttribute, escapeText } from '#app/platform/text/html.ts';
import { readCard, unknownCard } from './cards.ts';
import type { Segment } from './segment.ts';

// https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md
const marker = z.tuple([z.number(), z.array(z.number()), z.number(), z.unknown()]).rest(z.unknown());
const markup = z.tuple([z.string()]).rest(z.unknown());
const mobileDocument = z.object({
  cards: z.array(z.tuple([z.string()]).rest(z.unknown())).default([]),
  atoms: z.array(z.array(z.unknown())).default([]),
  markups: z.array(markup).default([]),
  sections: z.array(z.array(z.unknown())),
});
type Document = z.output<typeof mobileDocument>;

const MARKUP_SECTION = 1;
const IMAGE_SECTION = 2;
const LIST_SECTION = 3;
const CARD_SECTION = 10;

const blockTags = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'aside', 'pull-quote']);
const textTags = new Set(['a', 'strong', 'b', 'em', 'i', 'code', 's', 'sub', 'sup', 'u', 'mark', 'kbd']);

/** @throws AppError `invalid_input` for a text that is not a Mobiledoc document */
export function readMobiledoc(json: string): Segment[] {
  let parsed: Document;
  try {
    parsed = mobileDocument.parse(JSON.parse(json));
  } catch (error) {
    throw new AppError('invalid_input', 'Its Mobiledoc document cannot be read.', { cause: error });
  }
  return parsed.sections.map((section) => readSection(section, parsed));
}

function readSection([kind, first, second]: unknown[], document: Document): Segment {
  switch (kind) {
    case MARKUP_SECTION: {
      const tag = blockTags.has(String(first)) ? String(first) : 'p';
      const name = tag === 'aside' || tag === 'pull-quote' ? 'blockquote' : tag;
      return { html: `<${name}>${markersHtml(second, document)}</${name}>` };
    }
    case IMAGE_SECTION:
      return { html: `<img src="${escapeAttribute(String(first))}">` };
    case LIST_SECTION: {
      const tag = first === 'ol' ? 'ol' : 'ul';
      const items = Array.isArray(second) ? second : [];
      return {
        html: `<${tag}>${items.map((item) => `<li>${markersHtml(item, document)}</li>`).join('')}</${tag}>`,
      };
    }
    case CARD_SECTION: {
      const [name, payload] = document.cards[Number(first)] ?? [''];
      return readCard(name, payload) ?? unknownCard(name);
    }
    default:
      return { html: '' };
  }
}

/** Markers open and close the markups that run over several of them. */
function markersHtml(markers: unknown, { markups, atoms }: Document): string {
  const open: string[] = [];
  let html = '';
  for (const value of Array.isArray(markers) ? (markers as unknown[]) : []) {
    const parsed = marker.safeParse(value);
    if (!parsed.success) continue;
    const [kind, opened, closedCount, content] = parsed.data;
    for (const index of opened) {
      const tag = markups[index]?.[0] ?? 'span';
      open.push(tag);
      html += startOf(tag, markups[index]?.[1]);
    }
    // An atom of Ghost is a soft return, or something with a text.
    if (kind === 0) html += escapeText(String(content));
    else
      html +=
        atoms[Number(content)]?.[0] === 'soft-return' ? '<br>' : escapeText(textOf(atoms[Number(content)]));
    for (let count = 0; count < closedCount; count += 1) html += endOf(open.pop() ?? 'span');
  }
  return html;
}

function textOf(atom: unknown[] | undefined): string {
  return typeof atom?.[1] === 'string' ? atom[1] : '';
}

function startOf(tag: string, attributes: unknown): string {
  if (!textTags.has(tag)) return '';
  if (tag !== 'a' || !Array.isArray(attributes)) return `<${tag}>`;
  const at = attributes.indexOf('href');
  return at < 0 ? '<a>' : `<a href="${escapeAttribute(String(attributes[at + 1]))}">`;
}

function endOf(tag: string): string {
  return textTags.has(tag) ? `</${tag}>` : '';
}
