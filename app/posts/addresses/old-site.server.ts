import { TERMS_KEY, pathKey, listKey } from '#app/platform/http/page-keys.ts';
import type { Reading } from '#app/platform/services.ts';
import { toSlug, nameKey } from '#app/platform/text/slug.ts';
import { DAY_MS } from '#app/platform/time/durations.ts';
import { listArchive } from '#app/posts/lists/archive.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { findAuthor } from '#app/posts/lists/queries.server.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { encodePath, postPath, tagPath } from '#app/posts/paths.ts';
import { findTermsByName, termTable } from '#app/posts/terms/find.server.ts';
import { postsPathOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';
import { numberedAddress } from './old-site-queries.ts';

const feeds =
  /^\/(?:(?:comments\/)?feed(?:\/rss2?)?|rss|rss2|feed\.xml|index\.xml|feed\/feed\.xml|feeds\/all\.rss\.xml)$/;
/** Where site generators list posts when the home page shows something else. */
const section = '/(?:posts?|blog|articles?|news|writing|notes)';
const sectionFeed = new RegExp(`^${section}/(?:index|feed|rss|atom)\\.xml$`);
/** `/page2` is Jekyll's address of a further page. */
const sectionPage = new RegExp(`^(?:${section}(?:/page/?(\\d{1,6}))?|/page(\\d{1,6}))$`);
const termFeed = /^\/(tags|categories)\/([^/]+)\/(?:index|feed|atom)\.xml$/;
const bloggerFeed = /^\/feeds\/posts\/(?:default|summary)$/;
const atomFeeds = /^\/(?:atom|(?:comments\/)?feed\/atom|feeds\/all\.atom\.xml)$/;
/** WordPress's own sitemap, and those of the usual plug-ins. */
const sitemaps =
  /^\/(?:wp-sitemap(?:-[\w-]+)?|sitemap_index|(?:post|page|category|post_tag|author)-sitemap\d*)\.xml$/;
/** What WordPress adds to the end of the address of a post or a list. */
const suffixes =
  /^(\/.+?)(?:\/(feed|amp|embed|trackback|comment-page-\d+)(?:\/(?:rss2?|atom))?|\/page\/(\d{1,6})|\/(\d{1,3}))$/;

/**
 * The address on this site for an address of another blog system: feeds, pages of lists, authors, months. Null for any
 * other address, and on a site without imports.
 * @param path decoded, without a slash at the end
 * @param findStored the target of a stored redirect
 */
export async function findOldSiteAddress(
  app: Reading,
  path: string,
  findStored: (path: string) => Promise<string | null>,
): Promise<string | null> {
  const kind = kindOf(path);
  if (kind === null || !(await hasImports(app, sourcesWith[kind]))) return null;
  switch (kind) {
    case 'feed':
    case 'sectionFeed':
      return '/rss.xml';
    case 'sectionPage': {
      const [, page, ofHome] = sectionPage.exec(path) ?? [];
      return pageOfList(app, Number(page ?? ofHome ?? 1));
    }
    case 'termFeed': {
      const [, kind = '', name = ''] = termFeed.exec(path) ?? [];
      return feedOfTerm(app, kind, name);
    }
    case 'atom':
    case 'bloggerFeed':
      return '/atom.xml';
    case 'sitemap':
      return '/sitemap.xml';
    case 'upload':
      return oldUpload(app, path);
    case 'page':
      return pageOfList(app, Number(path.split('/')[2]));
    case 'author': {
      const author = await findAuthor(app, toSlug(path.split('/')[2]!));
      return author && encodePath(`/authors/${author.username}${path.endsWith('/feed') ? '/rss.xml' : ''}`);
    }
    case 'label':
      return tagOfLabel(app, path.split('/')[3]!);
    case 'date':
      return yearOfArchive(app, Number(path.slice(1, 5)));
    default:
      return findWithSuffix(path, findStored);
  }
}

/** The systems that use each kind of address. A site answers those of the systems that it was imported from. */
const sourcesWith = {
  feed: ['wordpress', 'ghost', 'substack', 'medium', 'tumblr', 'markdown'],
  atom: ['wordpress', 'markdown'],
  sitemap: ['wordpress'],
  upload: ['wordpress'],
  sectionFeed: ['markdown'],
  sectionPage: ['markdown'],
  termFeed: ['markdown'],
  bloggerFeed: ['blogger'],
  label: ['blogger'],
  page: ['wordpress', 'ghost', 'tumblr', 'markdown'],
  author: ['wordpress', 'ghost'],
  date: ['wordpress', 'blogger', 'markdown'],
  /** A feed, a short form or a further page, below another address. */
  suffix: ['wordpress', 'ghost', 'markdown'],
  /** An addition to an address that only WordPress makes. */
  wordpressSuffix: ['wordpress'],
} as const;

function kindOf(path: string): keyof typeof sourcesWith | null {
  if (feeds.test(path)) return 'feed';
  if (atomFeeds.test(path)) return 'atom';
  if (bloggerFeed.test(path)) return 'bloggerFeed';
  if (sitemaps.test(path)) return 'sitemap';
  if (sectionFeed.test(path)) return 'sectionFeed';
  if (sectionPage.test(path)) return 'sectionPage';
  if (termFeed.test(path)) return 'termFeed';
  if (path.startsWith('/wp-content/uploads/')) return 'upload';
  if (/^\/search\/label\/[^/]+$/.test(path)) return 'label';
  if (/^\/page\/\d{1,6}$/.test(path)) return 'page';
  if (/^\/author\/[^/]+$/.test(path)) return 'author';
  if (/^\/\d{4}(?:\/\d{1,2}){0,2}(?:\/page\/\d+)?$/.test(path)) return 'date';
  const [, above = '', kind, page] = suffixes.exec(path) ?? [];
  if (above === '') return null;
  if (/^\/author\/[^/]+$/.test(above)) return 'author';
  return /^(?:feed|amp)$/.test(kind ?? '') || page !== undefined ? 'suffix' : 'wordpressSuffix';
}

/**
 * The address on this site for a query that WordPress answers on its home page: `?p=207`, `?page_id=2`, `?feed=rss2`,
 * `?cat=3`, `?tag=news`, `?author_name=ada`, `?author=1`, `?attachment_id=5`, `?s=word`. Null for any other query.
 * @param findStored the target of a stored redirect
 */
export async function findOldSiteQuery(
  app: Reading,
  query: URLSearchParams,
  findStored: (path: string) => Promise<string | null>,
): Promise<string | null> {
  const feed = query.get('feed');
  const words = query.get('s');
  if (words !== null)
    return (await hasImports(app, [WORDPRESS])) ? `/search?q=${encodeURIComponent(words)}` : null;
  if (query.has('author')) return authorOfNumber(app, query.get('author')!);
  const listed = storedPathOf(query);
  if (listed !== null) return (await hasImports(app, [WORDPRESS])) ? findStored(listed) : null;
  const author = query.get('author_name');
  if (author !== null) return findOldSiteAddress(app, `/author/${author}`, findStored);
  if (feed !== null)
    return (await hasImports(app, [WORDPRESS]))
      ? feed === 'atom'
        ? '/atom.xml'
        : /^(rss2?|rdf)$/.test(feed)
          ? '/rss.xml'
          : null
      : null;
  const id = query.get('p') ?? query.get('page_id') ?? '';
  if (!/^[1-9]\d{0,17}$/.test(id)) return null;
  for (const blog of await wordpressBlogs(app)) {
    const item = await app.db.importItem.findUnique({
      where: { source_itemKey: { source: WORDPRESS, itemKey: `${blog}${ID}${id}` } },
      select: { postId: true },
    });
    const post =
      item &&
      (await app.db.post.findUnique({ where: { id: item.postId, ...isPublic }, select: { slug: true } }));
    if (post) return encodePath(postPath(post.slug));
  }
  return null;
}

/** Finds an author by the WordPress number. A redirect to one of the author's posts stores the number. */
async function authorOfNumber(app: Reading, number: string): Promise<string | null> {
  const path = numberedAddress(`/?author=${number}`);
  if (path === null) return null;
  app.recordKeys?.(pathKey(path));
  const redirect = await app.db.redirect.findUnique({
    where: { path },
    select: { post: { select: { author: { select: { username: true } } } } },
  });
  const author = await findAuthor(app, redirect?.post?.author?.username ?? '');
  return author && encodePath(`/authors/${author.username}`);
}

/** The path of the redirect for a query of WordPress; null if the query names no list and no file. */
function storedPathOf(query: URLSearchParams): string | null {
  for (const name of ['cat', 'attachment_id'])
    if (query.has(name)) return numberedAddress(`/?${name}=${query.get(name)}`);
  const [category, tag] = [query.get('category_name'), query.get('tag')];
  if (category !== null) return `/category/${category}`;
  return tag === null ? null : `/tag/${tag}`;
}

const WORDPRESS = 'wordpress';
/** The WordPress importer names an item by the blog's address, this text and the post's number. */
const ID = '/?p=';
const BLOGS_MAX = 10;

/** The addresses of the imported WordPress blogs: one index look-up for each. */
async function wordpressBlogs(app: Reading): Promise<string[]> {
  const blogs: string[] = [];
  for (let after = ''; blogs.length < BLOGS_MAX;) {
    const item = await app.db.importItem.findFirst({
      where: { source: WORDPRESS, itemKey: { gt: after } },
      orderBy: { itemKey: 'asc' },
      select: { itemKey: true },
    });
    if (!item) break;
    const [blog] = item.itemKey.split(ID);
    if (item.itemKey.includes(ID)) blogs.push(blog!);
    // A colon follows the digits, so this key follows all numbers of the blog.
    after = item.itemKey.includes(ID) ? `${blog}${ID}:` : item.itemKey;
  }
  return blogs;
}

async function hasImports(app: Reading, sources: readonly string[]): Promise<boolean> {
  app.recordKeys?.(TERMS_KEY);
  const where = { source: { in: [...sources] } };
  return (await app.db.importItem.findFirst({ where, select: { source: true } })) !== null;
}

/** The target of a feed or a further page of a list, or of another form of a post. */
async function findWithSuffix(
  path: string,
  findStored: (path: string) => Promise<string | null>,
): Promise<string | null> {
  const [, above = '', kind, page] = suffixes.exec(path) ?? [];
  const target = await findStored(above);
  if (target === null) return null;
  const isList = /^\/(?:categories|tags)\//.test(target);
  if (!isList) return target;
  if (kind === 'feed') return `${target}/rss.xml`;
  return page === undefined || page === '1' ? target : `${target}?page=${page}`;
}

// Finds the addresses on this site for the lists of an earlier site, for `old-site.server.ts`.

/** The address of a page of the list of posts, or of the first page if the list is shorter. */
async function pageOfList(app: Reading, page: number): Promise<string> {
  app.recordKeys?.(listKey({}));
  const settings = await readSettings(app);
  const total = await countPosts(app, { listedIn: '' });
  const list = encodePath(postsPathOf(settings));
  return page > 1 && page <= Math.ceil(total / settings.posts_per_page) ? `${list}?page=${page}` : list;
}

/** The address of a year in the archive, on the page where the year begins; null for a year without posts. */
async function yearOfArchive(app: Reading, year: number): Promise<string | null> {
  const { site_timezone: timeZone } = await readSettings(app);
  const archive = await listArchive(app, { page: 1, timeZone });
  const yearEntry = archive?.years.find((entry) => entry.year === year);
  if (!yearEntry) return null;
  return yearEntry.page === 1 ? `/archive#y${year}` : `/archive?page=${yearEntry.page}#y${year}`;
}

/** The tag for a label of Blogger. Blogger's label lists are below its search, where no redirect can be stored. */
async function tagOfLabel(app: Reading, label: string): Promise<string | null> {
  app.recordKeys?.(TERMS_KEY);
  const tag = (await findTermsByName(app.db, 'tag', [label])).get(nameKey(label));
  const isPublicTag = tag && (await countPosts(app, { tagId: tag.id, listedIn: '' })) > 0;
  return isPublicTag ? encodePath(tagPath(tag.slug)) : null;
}

/** @param kind `tags` or `categories` */
async function feedOfTerm(app: Reading, kind: string, name: string): Promise<string | null> {
  const where = { slug: toSlug(name) };
  app.recordKeys?.(TERMS_KEY);
  const terms = termTable(app.db, kind === 'tags' ? 'tag' : 'category');
  const term = await terms.findUnique({ where, select: { slug: true } });
  return term && encodePath(`/${kind}/${term.slug}/rss.xml`);
}

/** What WordPress adds to a picture's name for its smaller copies. */
const sizeInName = /-(?:\d+x\d+|scaled)(?=\.\w+$)/;
const SAME_NAME_MAX = 50;
const MENTIONS_MAX = 500;

interface Candidate {
  path: string;
  covers: { publishedAt: Date | null }[];
}

/**
 * The file of the library for an address of WordPress's uploads, such as `/wp-content/uploads/2020/01/a-300x200.jpg`.
 * Files of two months may share a name: then the file that a post of the address's month names, or null if that is not
 * one file.
 */
async function oldUpload(app: Reading, address: string): Promise<string | null> {
  app.recordKeys?.(pathKey(address));
  const name = address.slice(address.lastIndexOf('/') + 1);
  const whole = name.replace(sizeInName, '');
  for (const originalName of new Set([name, whole, whole.replace(/(?=\.\w+$)/, '-scaled')])) {
    const files = await app.db.media.findMany({
      where: { originalName, trashedAt: null },
      select: { path: true, covers: { select: { publishedAt: true } } },
      take: SAME_NAME_MAX,
    });
    if (files.length === 0) continue;
    const file = files.length === 1 ? files[0]! : await fileOfMonth(app, files, address);
    return file && encodePath(`/uploads/${file.path}`);
  }
  return null;
}

/** WordPress stores what is uploaded for a post in the folder of the post's month. */
async function fileOfMonth(app: Reading, files: Candidate[], address: string): Promise<Candidate | null> {
  const [, year, month] = /\/(\d{4})\/(\d{2})\/[^/]+$/.exec(address) ?? [];
  if (year === undefined) return null;
  // A day more on each side: the month of a post depends on the site's time zone.
  const from = Date.UTC(Number(year), Number(month) - 1) - DAY_MS;
  const to = Date.UTC(Number(year), Number(month)) + DAY_MS;
  const isInMonth = (date: Date | null) => date !== null && date.getTime() >= from && date.getTime() < to;
  const mentions = await app.db.fileMention.findMany({
    where: { file: { in: files.map(withoutEnding) }, kind: 'post' },
    select: { file: true, owner: true },
    take: MENTIONS_MAX,
  });
  const posts = await app.db.post.findMany({
    where: { id: { in: mentions.map(({ owner }) => owner) } },
    select: { id: true, publishedAt: true },
  });
  const ofMonth = new Set(posts.flatMap(({ id, publishedAt }) => (isInMonth(publishedAt) ? [id] : [])));
  const named = new Set(mentions.flatMap(({ file, owner }) => (ofMonth.has(owner) ? [file] : [])));
  const [found, ...others] = files.filter(
    (file) => named.has(withoutEnding(file)) || file.covers.some(({ publishedAt }) => isInMonth(publishedAt)),
  );
  return found && others.length === 0 ? found : null;
}

/** The name of a file in `file_mentions`. */
function withoutEnding({ path }: Candidate): string {
  return path.replace(/\.\w+$/, '');
}
