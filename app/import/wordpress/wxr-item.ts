import { SaxesParser } from 'saxes';
import { AppError } from '#app/platform/errors.ts';

/** A comment or pingback, approved or not. All values are texts as WordPress writes them. */
export interface WxrComment {
  id: string;
  author: string;
  date: string;
  dateGmt: string;
  content: string;
  /** `1` when readers see it. */
  approved: string;
  /** `''` or `comment` for a comment; otherwise `pingback`, `trackback` or a plug-in's type. */
  type: string;
  /** The id of the comment that it answers; `0` for none. */
  parent: string;
}

const blankComment: Readonly<WxrComment> = {
  id: '',
  author: '',
  date: '',
  dateGmt: '',
  content: '',
  approved: '',
  type: '',
  parent: '',
};

/** The elements of a comment and the fields that hold their texts. */
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

/** The elements of an item with one text each. */
const blankTexts = {
  title: '',
  link: '',
  guid: '',
  pubDate: '',
  'dc:creator': '',
  'content:encoded': '',
  'excerpt:encoded': '',
  'wp:post_id': '',
  'wp:post_date': '',
  'wp:post_date_gmt': '',
  'wp:post_modified_gmt': '',
  'wp:post_name': '',
  'wp:post_parent': '',
  'wp:status': '',
  'wp:post_type': '',
  'wp:post_password': '',
  'wp:attachment_url': '',
  /** `1` for a post that is pinned to the top of the first page. */
  'wp:is_sticky': '',
  'wp:menu_order': '',
};

/**
 * An `<item>` of a WXR file: the elements that an import uses, as uninterpreted texts; blank for a missing element. All
 * values come from the XML parser and are strings, so no schema checks them.
 */
export type WxrItem = typeof blankTexts & {
  /** Categories, tags and other terms. */
  terms: { domain: string; nicename: string; name: string }[];
  meta: Record<string, string>;
  comments: WxrComment[];
};

/**
 * Reads an item. Entities that XML does not define stay: titles and texts are HTML, which defines them. Repairs
 * a CDATA section inside another one, and an unescaped `&`.
 * @throws AppError `invalid_input` for XML that cannot be read.
 */
export function readWxrItem(xml: string): WxrItem {
  const first = parseItem(xml);
  if (first.problems.length === 0) return first.item;
  const second = parseItem(withAmpersands(withWholeCdata(xml)));
  if (second.problems.length === 0) return second.item;
  throw new AppError('invalid_input', `Its XML is damaged: ${second.problems[0]!}`);
}

/** The identifying texts of an item, found without parsing it: works for damaged items too, and is faster. */
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

function parseItem(xml: string): { item: WxrItem; problems: string[] } {
  const parser = new SaxesParser({ fragment: true });
  const item: WxrItem = { ...blankTexts, terms: [], meta: {}, comments: [] };
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
    if (name === 'wp:comment' && open.length === 2) item.comments.push({ ...blankComment });
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
      item.comments.at(-1)![commentElements[name]] = value.trim();
    else if (open.length === 2 && name === 'category')
      item.terms.push({
        domain: term.domain ?? '',
        nicename: term.nicename ?? '',
        name: detached(value),
      });
    else if (open.length === 2 && Object.hasOwn(blankTexts, name))
      item[name as keyof typeof blankTexts] = detached(value);
    open.pop();
  });
  parser.write(xml).close();
  return { item, problems };
}

// Copies a text: V8's substrings keep the whole string in memory (measured: the ids of a file kept the file).
// Comments are not copied, since there are many and their batch is short-lived.
function detached(value: string): string {
  return Buffer.from(value).toString();
}

// The metadata that an import reads. The rest, such as settings of themes and plug-ins, can be large and is dropped.
function isWantedMeta(key: string): boolean {
  return /^(_dateline_post|_menu_item_\w+|footnotes|_thumbnail_id|_wp_old_slug|_wp_attachment_image_alt|_yoast_wpseo_(title|metadesc|canonical)|rank_math_(title|description|canonical_url))$/.test(
    key,
  );
}

function isAboutEntity(message: string): boolean {
  return /entity|disallowed character|"]]>"/i.test(message);
}

// A `]]>` inside a text ends its CDATA section too early. The section should end with its element.
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
