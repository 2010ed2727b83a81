import { SaxesParser } from 'saxes';
import { AppError } from '#app/platform/errors.ts';

/** A reader's comment, a pingback, or what waits for approval. */
export interface WxrComment {
  id: string;
  author: string;
  date: string;
  dateGmt: string;
  content: string;
  /** `1`: everybody sees it. */
  approved: string;
  /** `''` and `comment` are what readers wrote. */
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

/** The elements of an item that hold one text. */
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
  /** `1`: at the top of the first page. */
  'wp:is_sticky': '',
  'wp:menu_order': '',
};

/**
 * An `<item>` of a WXR file, as far as an import cares: texts as they are, nothing interpreted; blank where there is none.
 * Everything in it is a text that the XML parser gave, so there is nothing to check before the post is made of it.
 */
export type WxrItem = typeof blankTexts & {
  /** Categories, tags and other terms. */
  terms: { domain: string; nicename: string; name: string }[];
  meta: Record<string, string>;
  comments: WxrComment[];
};

/**
 * Reads an item. Entities that XML does not know stay as they are: titles and texts are HTML, which knows them. A CDATA section that
 * was written into another one is put right, and so is a bare `&`.
 * @throws AppError `invalid_input` for XML that cannot be read.
 */
export function readWxrItem(xml: string): WxrItem {
  const first = parseItem(xml);
  if (first.problems.length === 0) return first.item;
  const second = parseItem(withAmpersands(withWholeCdata(xml)));
  if (second.problems.length === 0) return second.item;
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

// A piece of a long string keeps the whole of it in memory (measured: a file's ids kept the file). Comments need no copy: nothing
// of them is kept beyond the post's own batch, and there are many.
function detached(value: string): string {
  return Buffer.from(value).toString();
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
