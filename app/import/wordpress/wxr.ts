import { SaxesParser } from 'saxes';
import { invalidInput } from '#app/platform/errors.ts';
import { recordOf } from '#app/platform/narrow.ts';

/**
 * A piece of a WXR file. `cut`: the file ends, or another item begins, inside this item; `huge`: an item too long to
 * hold, without its text; `end`: the end tag of the channel, which a file that is cut off lacks.
 */
export interface WxrPart {
  kind: 'head' | 'item' | 'cut' | 'huge' | 'end';
  xml: string;
}

/** A post has up to 2 MB; the rest is for its comments, which are inside of it. */
const MAX_ITEM_CHARACTERS = 64_000_000;
const LONGEST_TOKEN = '</channel>'.length;

const outside = /<!\[CDATA\[|<item[\s>]|<\/item\s*>|<\/channel\s*>/g;
const CDATA_END = ']]>';

/**
 * Splits a WXR file into its head and its items, so that one damaged item does not spoil the others and no more than
 * one is in memory. Tags inside CDATA do not count.
 */
export async function* splitWxr(
  chunks: AsyncIterable<string>,
  maxItem = MAX_ITEM_CHARACTERS,
): AsyncGenerator<WxrPart> {
  let text = '';
  let position = 0;
  let inCdata = false;
  let isHead = true;
  let start: number | null = null;
  let isHuge = false;
  let hasEnd = false;
  for await (const chunk of chunks) {
    text += chunk;
    for (;;) {
      if (inCdata) {
        const end = text.indexOf(CDATA_END, position);
        if (end === -1) break;
        [position, inCdata] = [end + CDATA_END.length, false];
      }
      outside.lastIndex = position;
      const match = outside.exec(text);
      if (!match) break;
      position = outside.lastIndex;
      if (match[0].startsWith('<!')) inCdata = true;
      else if (match[0].startsWith('</channel')) hasEnd = true;
      else if (match[0].startsWith('<item')) {
        if (isHead) yield { kind: 'head', xml: text.slice(0, match.index) };
        isHead = false;
        // An item that was never closed.
        if (start !== null) yield { kind: 'cut', xml: text.slice(start, match.index) };
        [text, position, start] = [text.slice(match.index), match[0].length, 0];
      } else if (start !== null) {
        yield isHuge ? { kind: 'huge', xml: '' } : { kind: 'item', xml: text.slice(start, position) };
        [text, position, start, isHuge] = [text.slice(position), 0, null, false];
      }
    }
    // A token may begin at the end of one chunk and continue in the next.
    position = Math.max(position, text.length - LONGEST_TOKEN);
    if (isHead && text.length > maxItem) break;
    if (!isHead && (start === null || text.length > maxItem)) {
      isHuge ||= start !== null;
      [text, position] = [text.slice(position), 0];
    }
  }
  if (isHead) yield { kind: 'head', xml: text };
  else if (start !== null) yield isHuge ? { kind: 'huge', xml: '' } : { kind: 'cut', xml: text };
  if (hasEnd) yield { kind: 'end', xml: '' };
}

interface WxrAuthor {
  /** The number in addresses such as `/?author=1`. */
  id: string;
  name: string;
  email: string;
}

/** The part of an export before its items: the blog, its authors, and its categories with their parents. */
export interface WxrHead {
  /** The blog's address without a slash at the end; `''` if the file has none. */
  blogUrl: string;
  authors: Map<string, WxrAuthor>;
  /** Slug → the parent's slug. */
  parents: Map<string, string>;
  /** Slugs of categories that public posts have themselves, not only through a subcategory. Filled while items are read. */
  ownCategories: Set<string>;
  /** `category 5` or `post_tag 7` → the term's slug. */
  termSlugs: Map<string, string>;
  /** `category news` → its number. */
  termNumbers: Map<string, string>;
  /** `category news` or `post_tag c` → the term's description. */
  descriptions: Map<string, string>;
}

/**
 * @param xml the file up to its first item
 * @throws AppError `invalid_input` when the file is not a WordPress export
 */
export function readWxrHead(xml: string): WxrHead {
  if (!/<(rss|channel)[\s>]/.test(xml)) throw invalidInput(whatElse(xml));
  const head: WxrHead = {
    blogUrl: '',
    authors: new Map(),
    parents: new Map(),
    ownCategories: new Set(),
    descriptions: new Map(),
    termSlugs: new Map(),
    termNumbers: new Map(),
  };
  const addresses: Record<string, string> = {};
  const parser = new SaxesParser();
  const open: string[] = [];
  let value = '';
  let record: Record<string, string> = {};
  // Errors are ignored: damage here loses a name at most, and the items are read separately.
  parser.on('error', () => {});
  parser.on('opentag', ({ name }) => {
    open.push(name);
    value = '';
    if (['wp:author', 'wp:category', 'wp:tag'].includes(name)) record = {};
  });
  const collect = (part: string) => void (value += part);
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', ({ name }) => {
    open.pop();
    const text = value.trim();
    if (name === 'wp:author') addAuthor(head, record);
    else if (name === 'wp:category') addCategory(head, record);
    else if (name === 'wp:tag') {
      setUnlessBlank(head.termSlugs, `post_tag ${record['wp:term_id']}`, record['wp:tag_slug']);
      setUnlessBlank(head.descriptions, `post_tag ${record['wp:tag_slug']}`, record['wp:tag_description']);
    } else if (open.at(-1) === 'channel') addresses[name] = text;
    else record[name] = text;
  });
  parser.write(xml);
  const blogUrl = addresses['wp:base_blog_url'] || addresses['wp:base_site_url'] || addresses.link || '';
  head.blogUrl = blogUrl.replace(/\/+$/, '');
  return head;
}

/** What a file is that is no export, in words. */
function whatElse(text: string): string {
  if (text.startsWith('PK'))
    return 'This is a ZIP file. Unpack it, and import its XML files one after the other.';
  return /<feed[\s>]/.test(text)
    ? 'This is an Atom file, not a WordPress export. An export of Blogger is imported with --from blogger.'
    : 'This is not a WordPress export: it has no <rss> element.';
}

function addAuthor({ authors }: WxrHead, record: Record<string, string>): void {
  const login = record['wp:author_login'] ?? '';
  if (login === '') return;
  const name = record['wp:author_display_name'] || login;
  authors.set(login, { id: record['wp:author_id'] ?? '', name, email: record['wp:author_email'] ?? '' });
}

function setUnlessBlank(map: Map<string, string>, key: string, value = ''): void {
  if (value !== '') map.set(key, value);
}

function addCategory(head: WxrHead, record: Record<string, string>): void {
  const slug = record['wp:category_nicename'] ?? '';
  const parent = record['wp:category_parent'] ?? '';
  if (slug !== '' && parent !== '' && parent !== slug) head.parents.set(slug, parent);
  setUnlessBlank(head.termSlugs, `category ${record['wp:term_id']}`, slug);
  if (record['wp:term_id']) head.termNumbers.set(`category ${slug}`, record['wp:term_id']);
  setUnlessBlank(head.descriptions, `category ${slug}`, record['wp:category_description']);
}

/** A comment or pingback, approved or not. All values are texts as WordPress writes them. */
export type WxrComment = Record<(typeof commentElements)[keyof typeof commentElements], string>;

/** The elements of a comment and the fields that hold their texts. */
const commentElements = {
  'wp:comment_id': 'id',
  'wp:comment_author': 'author',
  'wp:comment_date': 'date',
  'wp:comment_date_gmt': 'dateGmt',
  'wp:comment_content': 'content',
  /** `1` when readers see it. */
  'wp:comment_approved': 'approved',
  /** `''` or `comment` for a comment; otherwise `pingback`, `trackback` or a plug-in's type. */
  'wp:comment_type': 'type',
  /** The id of the comment that it answers; `0` for none. */
  'wp:comment_parent': 'parent',
} as const;
const commentFields: Partial<Record<string, keyof WxrComment>> = commentElements;
const blankComment = recordOf(Object.values(commentElements), () => '');

/** The elements of an item with one text each. The hash of a post depends on this order. */
const texts = [
  ...(['title', 'link', 'guid', 'pubDate', 'dc:creator', 'content:encoded', 'excerpt:encoded'] as const),
  ...(['wp:post_id', 'wp:post_date', 'wp:post_date_gmt', 'wp:post_modified_gmt', 'wp:post_name'] as const),
  ...(['wp:post_parent', 'wp:status', 'wp:post_type', 'wp:post_password', 'wp:attachment_url'] as const),
  // Sticky is `1` for a post that is pinned to the top of the first page.
  ...(['wp:is_sticky', 'wp:menu_order'] as const),
];
const blankTexts = recordOf(texts, () => '');

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
  throw invalidInput(`Its XML is damaged: ${second.problems[0]!}`);
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

const aboutEntity = /entity|disallowed character|"]]>"/i;

function parseItem(xml: string): { item: WxrItem; problems: string[] } {
  const parser = new SaxesParser({ fragment: true });
  const item: WxrItem = { ...blankTexts, terms: [], meta: {}, comments: [] };
  const problems: string[] = [];
  const open: string[] = [];
  let value = '';
  let key = '';
  let term: Record<string, string> = {};
  parser.on('error', ({ message }) => {
    if (!aboutEntity.test(message)) problems.push(message.replace(/^\d+:\d+: /, ''));
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (open.length === 2) [value, term] = ['', attributes as Record<string, string>];
    else if (open.length === 3) value = '';
    if (name === 'wp:comment' && open.length === 2) item.comments.push({ ...blankComment });
  });
  const collect = (part: string) => {
    if (open.length > 1 && (open[1] !== 'wp:comment' || commentFields[open[2] ?? ''])) value += part;
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', ({ name }) => {
    if (open.length === 3 && open[1] === 'wp:postmeta') {
      if (name === 'wp:meta_key') key = value.trim();
      else if (name === 'wp:meta_value' && isWantedMeta(key) && !Object.hasOwn(item.meta, key))
        item.meta[key] = detached(value);
    } else if (open.length === 3 && open[1] === 'wp:comment' && commentFields[name])
      item.comments.at(-1)![commentFields[name]] = value.trim();
    else if (open.length === 2 && name === 'category')
      item.terms.push({ domain: term.domain ?? '', nicename: term.nicename ?? '', name: detached(value) });
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
