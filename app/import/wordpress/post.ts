import { excerptOf, shorten } from '#app/export/excerpt-of.ts';
import type { LinksBetweenPosts } from '#app/import/addresses/links-between-posts.ts';
import { oldAddress, type Redirects } from '#app/import/addresses/old-address.ts';
import { textOfHtml } from '#app/import/html/to-markdown.ts';
import { readSourceDate, datedState, type PostState } from '#app/import/model/date.ts';
import { orderComments, type SourceComment, type SourcePost, canonicalOf } from '#app/import/model/post.ts';
import { decodedOrSame } from '#app/platform/http/paths.ts';
import { toSlug } from '#app/platform/text/slug.ts';
import type { PostStatus } from '#app/posts/fields/states.ts';
import type { Attachments } from './attachments.ts';
import { termsOf } from './categories.ts';
import { wordpressToMarkdown } from './html.ts';
import type { WxrComment, WxrItem, WxrHead } from './wxr.ts';

/** The approved comments of a post in their order. Spam, pingbacks and comments that wait for approval are left out. */
function readComments(comments: WxrComment[], warnings: string[]): SourceComment[] {
  const shown = comments.flatMap((comment) => {
    const writtenAt = dateOf(comment);
    if (!isShown(comment) || writtenAt === null) return [];
    const { id, parent, author, content } = comment;
    return [{ id, answers: parent, author: textOfHtml(author), html: content, writtenAt }];
  });
  return orderComments(shown, (html) => wordpressToMarkdown(html).markdown, warnings);
}

/** The number of comments that were not public, and of pingbacks. */
export function hiddenCount(comments: WxrComment[]): number {
  return comments.filter((comment) => !isShown(comment) || dateOf(comment) === null).length;
}

function isShown({ approved, type, content }: WxrComment): boolean {
  return approved === '1' && (type === '' || type === 'comment') && content.trim() !== '';
}

function dateOf({ dateGmt, date }: WxrComment): Date | null {
  const written = [dateGmt, date].find((candidate) => candidate !== '' && !candidate.startsWith('0000'));
  return written === undefined ? null : readSourceDate(`${written}Z`, 'UTC');
}

/** The pages that are imported, by their numbers. */
type Pages = ReadonlyMap<string, { slug: string; parent: string }>;

/** Pages can be below two others. */
const ABOVE_MAX = 2;

/** The slug for a name; one with the post's number for a name without letters, such as emoji. */
export function slugOfName(name: string, id: string): string {
  const slug = decodedOrSame(name).trim();
  return toSlug(slug) === '' ? `post-${id}` : slug;
}

/** The number of a page's parent on this site; null without one. Of a longer chain of pages the uppermost count. */
export function parentOf(page: { id: string; parent: string }, pages: Pages): string | null {
  const ids: string[] = [];
  const seen = new Set<string>([page.id]);
  let id = page.parent;
  for (let above = pages.get(id); above && !seen.has(id); above = pages.get(id)) {
    seen.add(id);
    ids.unshift(id);
    id = above.parent;
  }
  return ids.slice(0, ABOVE_MAX).at(-1) ?? null;
}

/** The path of a page's parent on this site; blank without one. */
function pathAbove(
  page: { id: string; parent: string },
  { pages, links }: { pages: Pages; links: LinksBetweenPosts },
): string {
  const parent = parentOf(page, pages);
  return parent === null ? '' : (links.addressOfNumber(parent) ?? '');
}

/** The authors that the plug-in Co-Authors Plus names, in order; empty without it. */
function guestAuthorsOf({ terms }: WxrItem): string[] {
  const names = terms.filter(({ domain }) => domain === 'author').map(({ name }) => textOfHtml(name));
  return [...new Set(names.filter((name) => name !== ''))];
}

export interface WordpressContext {
  head: WxrHead;
  attachments: Attachments;
  pages: Pages;
  /** HTML of blocks that several posts share, by their numbers. */
  sharedBlocks: ReadonlyMap<string, string>;
  /** Rules of the plug-in Redirection. */
  redirects: Redirects;
  /** Logins of authors whose number already redirects to one of their posts. */
  numberedAuthors: Set<string>;
  /** Posts and pages as texts link to them. */
  links: LinksBetweenPosts;
  /** For dates that are not given in GMT. */
  timeZone: string;
  now: Date;
}

/** The fields of Yoast and Rank Math. */
const seoTitles = ['_yoast_wpseo_title', 'rank_math_title'];
const seoDescriptions = ['_yoast_wpseo_metadesc', 'rank_math_description'];
const canonicals = ['_yoast_wpseo_canonical', 'rank_math_canonical_url'];

const TITLE_MAX = 300;
const statuses: Record<string, PostStatus> = {
  publish: 'published',
  future: 'scheduled',
  draft: 'draft',
  pending: 'draft',
  private: 'draft',
};

/** Types that WordPress stores like posts, but are not content: ignored. */
const notContent = new Set([
  ...'attachment revision nav_menu_item custom_css customize_changeset oembed_cache user_request'.split(' '),
  ...'wp_global_styles wp_navigation wp_template wp_template_part'.split(' '),
  ...'wp_font_family wp_font_face wp_block'.split(' '),
]);

/** Why an item does not become a post. `skipped`: it cannot be imported; `ignored`: it is no content, by its kind. */
type Refusal = { skipped: string } | { ignored: { kind: string; reason: string } };

/** The reason why an item does not become a post; null when it does. */
export function refusalOf(item: WxrItem): Refusal | null {
  const type = item['wp:post_type'] || 'post';
  const status = item['wp:status'];
  if (notContent.has(type)) return { ignored: { kind: type, reason: `It is no post: “${type}”.` } };
  if (status === 'trash') return { ignored: { kind: 'trash', reason: 'It is in the trash.' } };
  if (status === 'auto-draft' || status === 'inherit')
    return { ignored: { kind: status, reason: `It is no post: “${status}”.` } };
  if (!['post', 'page'].includes(type))
    return { skipped: `Only posts and pages are imported, not “${type}”.` };
  if (status !== '' && !Object.hasOwn(statuses, status))
    return { skipped: `The status “${status}” is unknown.` };
  return null;
}

/**
 * An item as a post; `cover` is still the address of the featured image.
 * @throws AppError `invalid_input` with the reason why it cannot be one.
 */
export function readWordpressPost(
  item: WxrItem,
  context: WordpressContext,
): { post: SourcePost; warnings: string[] } {
  const { attachments, sharedBlocks } = context;
  const id = item['wp:post_id'];
  const { markdown, warnings } = wordpressToMarkdown(item['content:encoded'], {
    attachments,
    sharedBlocks,
    postId: id,
    footnotes: item.meta.footnotes,
  });
  const { status, publishedAt } = stateOf(item, context, warnings);
  const { category, tags, warnings: termWarnings } = termsOf(item, context.head);
  const cover = attachments.get(item.meta._thumbnail_id ?? '');
  const title = titleOf(item, markdown, warnings);
  const post: SourcePost = {
    title,
    slug: slugOfName(item['wp:post_name'] || title, id),
    body: context.links.replaceIn(markdown, URL.canParse(item.link) ? item.link : ''),
    excerpt: excerptOf(textOfHtml(item['excerpt:encoded']), warnings),
    status,
    publishedAt,
    archiveAt: null,
    updatedAt: gmt(item['wp:post_modified_gmt']),
    category,
    tags,
    author: authorOf(item['dc:creator'].trim(), context.head),
    cover: cover?.url ?? null,
    coverAlt: shorten(cover?.alt ?? '', 1_000),
    seoTitle: shorten(metaOf(item, 'search title', warnings, ...seoTitles), 300),
    seoDescription: shorten(metaOf(item, 'search description', warnings, ...seoDescriptions), 1_000),
    canonicalUrl: canonicalOf(metaOf(item, 'canonical address', warnings, ...canonicals), warnings),
    aliases: [
      ...addressesOf(item),
      ...redirectsTo(item, context),
      ...(status === 'published' ? authorNumber(item['dc:creator'].trim(), context) : []),
      ...attachments
        .of(id)
        .flatMap((file) => [permalinkOf(file.page) ?? [], `/?attachment_id=${file.id}`].flat()),
    ],
    ...(item['wp:post_type'] === 'page' && {
      type: 'page' as const,
      parent: pathAbove({ id, parent: item['wp:post_parent'] }, context),
    }),
    authors: guestAuthorsOf(item),
    guid: item.guid.trim(),
    comments: readComments(item.comments, warnings),
  };
  return { post, warnings: [...warnings, ...termWarnings] };
}

function stateOf(item: WxrItem, { timeZone, now }: WordpressContext, warnings: string[]): PostState {
  const written = item['wp:status'] || 'publish';
  const status = statuses[written]!;
  if (written === 'private') warnings.push('It was private: the post becomes a draft.');
  const date =
    gmt(item['wp:post_date_gmt']) ?? publicDate(item.pubDate) ?? local(item['wp:post_date'], timeZone);
  // The date of a draft is only that of its last change.
  if (status === 'draft') return { status, publishedAt: null };
  if (item['wp:post_password'] !== '') {
    warnings.push('It was protected by a password: the post becomes a draft.');
    return { status: 'draft', publishedAt: date };
  }
  return datedState(status, date, { isPage: item['wp:post_type'] === 'page', now }, warnings);
}

function gmt(written: string): Date | null {
  return isZero(written) ? null : readSourceDate(`${written.trim()}Z`, 'UTC');
}

function local(written: string, timeZone: string): Date | null {
  return isZero(written) ? null : readSourceDate(written, timeZone);
}

function publicDate(written: string): Date | null {
  const date = new Date(written);
  // `Mon, 30 Nov -0001` means no date.
  return Number.isNaN(date.getTime()) || /-0001/.test(written) || date.getUTCFullYear() < 1900 ? null : date;
}

function isZero(written: string): boolean {
  return written.trim() === '' || written.startsWith('0000');
}

function titleOf(item: WxrItem, markdown: string, warnings: string[]): string {
  const title = textOfHtml(item.title);
  if (title !== '') {
    if ([...title].length > TITLE_MAX) warnings.push('The title was cut to 300 characters.');
    return shorten(title, TITLE_MAX);
  }
  warnings.push('No title: the post is named after its beginning.');
  const words = markdown
    .replace(/[#>*_`[\]()!|\\-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(words, 60) || 'Untitled';
}

function authorOf(login: string, { authors }: WxrHead): SourcePost['author'] {
  if (login === '') return null;
  const account = authors.get(login);
  const name = shorten(textOfHtml(account?.name ?? login) || login, 200);
  return { name, username: shorten(login, 200), email: account?.email ?? '' };
}

/** `/?author=1` of the first public post of each author: it redirects to that post's author. */
function authorNumber(login: string, { head, numberedAuthors }: WordpressContext): string[] {
  const id = head.authors.get(login)?.id ?? '';
  if (id === '' || numberedAuthors.has(login)) return [];
  numberedAuthors.add(login);
  return [`/?author=${id}`];
}

// Leaves out a template such as `%%title%% %%sep%% %%sitename%%`: this site joins the titles of post and site itself.
function metaOf({ meta }: WxrItem, what: string, warnings: string[], ...keys: string[]): string {
  const written = keys.map((key) => meta[key]?.trim() ?? '').filter((value) => value !== '');
  const plainText = written.find((value) => !/%\w+%/.test(value));
  if (plainText !== undefined) return textOfHtml(plainText);
  if (written.length > 0)
    warnings.push(`The ${what} “${shorten(written[0]!, 100)}” is a template of a plug-in and was left out.`);
  return '';
}

/** Old paths that rules redirect to this post. */
function redirectsTo({ link }: WxrItem, { redirects }: WordpressContext): string[] {
  const path = oldAddress(link);
  return path === null || path === '/' ? [] : redirects.take(path);
}

/** An address with a path and no query; null for any other, such as one with a number. */
function permalinkOf(link: string): string | null {
  const address = link.trim();
  if (!URL.canParse(address)) return null;
  const { search, pathname } = new URL(address);
  return search === '' && pathname !== '/' ? address : null;
}

/** The permalink, and the one before a change of the slug. */
function addressesOf({ link, meta }: WxrItem): string[] {
  const permalink = permalinkOf(link);
  if (permalink === null) return [];
  const url = new URL(permalink);
  const old = meta._wp_old_slug?.trim() ?? '';
  return old === ''
    ? [permalink]
    : [permalink, new URL(permalink.endsWith('/') ? `../${old}/` : old, url).href];
}
