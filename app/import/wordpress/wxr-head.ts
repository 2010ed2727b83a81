import { SaxesParser } from 'saxes';
import { AppError } from '#app/platform/errors.ts';

export interface WxrAuthor {
  login: string;
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
  if (!/<(rss|channel)[\s>]/.test(xml)) throw new AppError('invalid_input', whatElse(xml));
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
      addTermSlug(head, `post_tag ${record['wp:term_id']}`, record['wp:tag_slug']);
      addDescription(head, `post_tag ${record['wp:tag_slug']}`, record['wp:tag_description']);
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
  authors.set(login, {
    login,
    id: record['wp:author_id'] ?? '',
    name,
    email: record['wp:author_email'] ?? '',
  });
}

function addTermSlug({ termSlugs }: WxrHead, term: string, slug = ''): void {
  if (slug !== '') termSlugs.set(term, slug);
}

function addDescription({ descriptions }: WxrHead, term: string, description = ''): void {
  if (description !== '') descriptions.set(term, description);
}

function addCategory(head: WxrHead, record: Record<string, string>): void {
  const slug = record['wp:category_nicename'] ?? '';
  const parent = record['wp:category_parent'] ?? '';
  if (slug !== '' && parent !== '' && parent !== slug) head.parents.set(slug, parent);
  addTermSlug(head, `category ${record['wp:term_id']}`, slug);
  if (record['wp:term_id']) head.termNumbers.set(`category ${slug}`, record['wp:term_id']);
  addDescription(head, `category ${slug}`, record['wp:category_description']);
}
