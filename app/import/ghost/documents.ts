import * as z from 'zod';
import { invalidInput } from '#app/platform/errors.ts';
import { escapeAttribute, escapeText } from '#app/platform/text/html.ts';
import { readCard, unknownCard, type Segment } from './cards.ts';

const node = z.object({
  type: z.string(),
  children: z.array(z.unknown()).catch([]).default([]),
  text: z.string().catch(''),
  format: z.number().catch(0),
  tag: z.string().catch(''),
  listType: z.string().catch(''),
  start: z.number().catch(1),
  url: z.string().catch(''),
});
type LexicalNode = z.output<typeof node>;
const lexicalDocument = z.object({ root: z.object({ children: z.array(z.unknown()) }) });

/** @throws AppError `invalid_input` for a text that is not a Lexical document */
export function readLexical(json: string): Segment[] {
  let parsed;
  try {
    parsed = lexicalDocument.parse(JSON.parse(json));
  } catch (error) {
    throw invalidInput('Its Lexical document cannot be read.', error);
  }
  return parsed.root.children.map((child) => {
    const kind = typeOf(child);
    return textKinds.has(kind)
      ? { html: lexicalHtml(child) }
      : (readCard(kind, child) ?? unknownCard(kind, lexicalHtml(child)));
  });
}

const textKinds = new Set([
  ...['paragraph', 'heading', 'extended-heading', 'quote', 'extended-quote', 'aside', 'list', 'listitem'],
  ...['text', 'extended-text', 'link', 'autolink', 'linebreak', 'tab'],
]);

function typeOf(value: unknown): string {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : '';
}

function lexicalHtml(value: unknown): string {
  const parsed = node.safeParse(value);
  if (!parsed.success) return '';
  const lexicalNode = parsed.data;
  const inner = () => lexicalNode.children.map(lexicalHtml).join('');
  switch (lexicalNode.type) {
    case 'text':
    case 'extended-text':
      return formatted(lexicalNode);
    case 'linebreak':
      return '<br>';
    case 'tab':
      return ' ';
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
    case 'extended-heading': {
      const tag = /^h[1-6]$/.test(lexicalNode.tag) ? lexicalNode.tag : 'h2';
      return `<${tag}>${inner()}</${tag}>`;
    }
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote><p>${inner()}</p></blockquote>`;
    case 'list': {
      const items = itemsOf(lexicalNode);
      return lexicalNode.listType === 'number'
        ? `<ol start="${lexicalNode.start}">${items}</ol>`
        : `<ul>${items}</ul>`;
    }
    case 'listitem':
      return `<li>${inner()}</li>`;
    case 'link':
    case 'autolink':
      return `<a href="${escapeAttribute(lexicalNode.url)}">${inner()}</a>`;
    default:
      // Keeps the text of a node of an unknown kind.
      return lexicalNode.children.length > 0 ? `<p>${inner()}</p>` : escapeText(lexicalNode.text);
  }
}

/** The items of a list. An inner list has an item of its own in Lexical; in HTML it belongs to the item before it. */
function itemsOf({ children }: LexicalNode): string {
  let html = '';
  for (const child of children) {
    const { data: item } = node.safeParse(child);
    const isInner = item?.children.length === 1 && typeOf(item.children[0]) === 'list';
    if (isInner && html.endsWith('</li>')) html = `${html.slice(0, -5)}${lexicalHtml(item.children[0])}</li>`;
    else html += lexicalHtml(child);
  }
  return html;
}

// The bits of Lexical's text formats.
const formats: [bit: number, tag: string][] = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
];

function formatted({ text, format }: LexicalNode): string {
  return formats
    .filter(([bit]) => (format & bit) !== 0)
    .reverse()
    .reduce((html, [, tag]) => `<${tag}>${html}</${tag}>`, escapeText(text));
}

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
    throw invalidInput('Its Mobiledoc document cannot be read.', error);
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
