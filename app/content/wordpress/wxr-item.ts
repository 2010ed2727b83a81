import { SaxesParser } from 'saxes';
import { z } from 'zod';
import { AppError } from '#app/platform/errors.ts';

const text = z.string().default('');

const comment = z.object({
  id: text,
  author: text,
  date: text,
  dateGmt: text,
  content: text,
  /** `1`: everybody sees it. */
  approved: text,
  /** `''` and `comment` are what readers wrote. */
  type: text,
  /** The id of the comment that it answers; `0` for none. */
  parent: text,
});
export type WxrComment = z.output<typeof comment>;

/** What a comment's elements are called here. */
const commentElements: Record<string, keyof WxrComment> = {
  'wp:comment_id': 'id',
  'wp:comment_author': 'author',
  'wp:comment_date': 'date',
  'wp:comment_date_gmt': 'dateGmt',
  'wp:comment_content': 'content',
  'wp:comment_approved': 'approved',
  'wp:comment_type': 'type',
  'wp:comment_parent': 'parent',
};

/** An `<item>` of a WXR file, as far as an import cares: texts as they stand, nothing interpreted. */
export const wxrItemSchema = z.object({
  title: text,
  link: text,
  guid: text,
  pubDate: text,
  'dc:creator': text,
  'content:encoded': text,
  'excerpt:encoded': text,
  'wp:post_id': text,
  'wp:post_date': text,
  'wp:post_date_gmt': text,
  'wp:post_modified_gmt': text,
  'wp:post_name': text,
  'wp:post_parent': text,
  'wp:status': text,
  'wp:post_type': text,
  'wp:post_password': text,
  'wp:attachment_url': text,
  /** `1`: at the top of the first page. */
  'wp:is_sticky': text,
  'wp:menu_order': text,
  /** Categories, tags and other terms. */
  terms: z.array(z.object({ domain: text, nicename: text, name: text })),
  meta: z.record(z.string(), z.string()),
  comments: z.array(comment),
});

export type WxrItem = z.output<typeof wxrItemSchema>;

/**
 * Reads an item. Entities that XML does not know stay as they are: titles and texts are HTML, which knows them. A CDATA section that
 * was written into another one is put right, and so is a bare `&`.
 * @throws AppError `invalid_input` for XML that cannot be read.
 */
export function readWxrItem(xml: string): WxrItem {
  const first = parseItem(xml);
  if (first.problems.length === 0) return wxrItemSchema.parse(first.item);
  const second = parseItem(withAmpersands(withWholeCdata(xml)));
  if (second.problems.length === 0) return wxrItemSchema.parse(second.item);
  throw new AppError('invalid_input', `Its XML is damaged: ${second.problems[0]!}`);
}

/** What can be read of an item that is not whole, to say which it is, or without reading all of it. */
export function partsOfItem(xml: string): Record<keyof typeof parts, string> {
  const of = (tag: keyof typeof parts) => detached(parts[tag].exec(xml)?.[1]?.trim() ?? '');
  const [slug, status, type] = [of('slug'), of('status'), of('type')];
  return { id: of('id'), title: of('title'), link: of('link'), slug, status, type };
}

const part = (tag: string) => new RegExp(`<${tag}>\\s*(?:<!\\[CDATA\\[)?([^<\\]]*)`);
const parts = {
  ...{ id: part('wp:post_id'), title: part('title'), link: part('link') },
  ...{ slug: part('wp:post_name'), status: part('wp:status'), type: part('wp:post_type') },
};

type Collected = Record<string, unknown> & {
  terms: object[];
  meta: Record<string, string>;
  comments: Record<string, string>[];
};

function parseItem(xml: string): { item: unknown; problems: string[] } {
  const parser = new SaxesParser({ fragment: true });
  const item: Collected = { terms: [], meta: {}, comments: [] };
  const problems: string[] = [];
  const open: string[] = [];
  let value = '';
  let key = '';
  let term: Record<string, string> = {};
  parser.on('error', ({ message }) => {
    if (!isAboutEntity(message)) problems.push(message.replace(/^\d+:\d+: /, ''));
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (open.length === 2) [value, term] = ['', attributes as Record<string, string>];
    else if (open.length === 3) value = '';
    if (name === 'wp:comment' && open.length === 2) item.comments.push({});
  });
  const collect = (part: string) => {
    if (open.length > 1 && (open[1] !== 'wp:comment' || commentElements[open[2] ?? ''])) value += part;
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', ({ name }) => {
    if (open.length === 3 && open[1] === 'wp:postmeta') {
      if (name === 'wp:meta_key') key = value.trim();
      else if (name === 'wp:meta_value' && isWantedMeta(key) && !Object.hasOwn(item.meta, key))
        item.meta[key] = detached(value);
    } else if (open.length === 3 && open[1] === 'wp:comment' && commentElements[name])
      item.comments.at(-1)![commentElements[name]] = detached(value.trim());
    else if (open.length === 2 && name === 'category')
      item.terms.push({ domain: term.domain, nicename: term.nicename, name: detached(value) });
    else if (open.length === 2 && Object.hasOwn(wxrItemSchema.shape, name)) item[name] = detached(value);
    open.pop();
  });
  parser.write(xml).close();
  return { item, problems };
}

/** V8 copies pieces that are shorter. */
const SHORTEST_SLICE = 13;

// A piece of a long string keeps the whole of it in memory (measured: a file's ids kept the file).
function detached(value: string): string {
  return value.length < SHORTEST_SLICE ? value : Buffer.from(value).toString();
}

// Theme and plug-in settings can be large; these are what an import reads.
function isWantedMeta(key: string): boolean {
  return /^(_dateline_post|_menu_item_\w+|footnotes|_thumbnail_id|_wp_old_slug|_wp_attachment_image_alt|_yoast_wpseo_(title|metadesc|canonical)|rank_math_(title|description|canonical_url))$/.test(
    key,
  );
}

function isAboutEntity(message: string): boolean {
  return /entity|disallowed character|"]]>"/i.test(message);
}

// `]]>` inside of a text ends its section too early. The section really ends where its element does.
const sections =
  /(<(title|description|content:encoded|excerpt:encoded|wp:meta_value|wp:comment_content)>\s*<!\[CDATA\[)([\s\S]*?)(\]\]>\s*<\/\2>)/g;

function withAmpersands(xml: string): string {
  return xml
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/&(?!(?:\w+|#\d+|#x[\da-f]+);)/gi, '&amp;')))
    .join('');
}

function withWholeCdata(xml: string): string {
  return xml.replace(sections, (_, before: string, _tag, content: string, after: string) => {
    const plain = content.replaceAll(']]]]><![CDATA[>', ']]>');
    return before + plain.replaceAll(']]>', ']]]]><![CDATA[>') + after;
  });
}
