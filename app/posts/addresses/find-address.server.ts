import { pathKey } from '#app/platform/http/page-keys.ts';
import {
  isOfNewsletter,
  mayBePage,
  PAGE_ROUTE,
  POSTS_ROUTE,
  publicAddressOf,
} from '#app/platform/http/public-addresses.ts';
import { readShared } from '#app/platform/http/shared-reads.ts';
import type { Reading, Db } from '#app/platform/services.ts';
import { coveringLanguage } from '#app/platform/text/languages.ts';
import { notTrashed, TRASHED } from '#app/posts/fields/states.ts';
import { isPublic } from '#app/posts/lists/scope.ts';
import { listTranslations } from '#app/posts/lists/translations.server.ts';
import { decodePath, encodePath, prefixOf } from '#app/posts/paths.ts';
import { termTable } from '#app/posts/terms/find.server.ts';
import { type Settings, postsPathOf } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** The place of a public address whose first part is a setting: a language, a page or the list of posts. */
export interface Place {
  /** The list that it shows: `''`, or one of the site's other languages. */
  listedIn: string;
  /** The address that was asked for, decoded. */
  path: string;
}

/** The target of an address that depends on settings and posts: a route with its place, or a redirect. */
export type FoundAddress = { route: string; place: Place } | { redirect: string };

/** The path and query of the route that answers a public address, with its place; or the target of its redirect. */
export async function routeOf(
  app: Reading,
  address: string,
): Promise<{ address: string; place?: Place } | { redirect: string }> {
  const cut = address.indexOf('?');
  const [path, query] = cut < 0 ? [address, ''] : [address.slice(0, cut), address.slice(cut)];
  const siteAddress = await findAddress(app, path);
  if (!siteAddress) return { address };
  return 'redirect' in siteAddress
    ? { redirect: siteAddress.redirect + query }
    : { address: siteAddress.route + query, place: siteAddress.place };
}

/**
 * Finds pages, the list of posts at its configured address, and the lists of other languages. Null for the addresses of
 * routes and of the backend, and for unknown ones.
 * @param pathname percent-encoded, without a query
 */
export async function findAddress(app: Reading, pathname: string): Promise<FoundAddress | null> {
  const path = decodePath(pathname);
  const first = path?.split('/')[1];
  if (path === null || !first || !(mayBePage(path) || isOfNewsletter(path))) return null;
  const settings = await readShared(app, 'settings', readSettings);
  if (first === settings.admin_path || (settings.newsletter_enabled && isOfNewsletter(path))) return null;
  const bare = path.replace(/\/+$/, '');
  const siteAddress =
    inLanguage(bare, settings.site_languages) ??
    inList(bare, settings) ??
    (await isPage(app, bare, settings.home_page)) ??
    (await pageInLanguage(app, bare, settings.site_languages)) ??
    formerList(bare, settings);
  if (!siteAddress || 'redirect' in siteAddress) return siteAddress;
  // One spelling of each address: without a slash at the end, in normal encoding.
  const spelling = encodePath(siteAddress.place.path);
  return spelling === pathname ? siteAddress : { redirect: spelling };
}

/** A path that begins with one of the site's other languages, in two parts. */
function splitLanguage(path: string, languages: readonly string[]) {
  const [, first = '', ...rest] = path.split('/');
  const listedIn = languages.find((language) => language.toLowerCase() === first.toLowerCase());
  if (listedIn === undefined) return null;
  return { listedIn, below: rest.length === 0 ? '' : `/${rest.join('/')}` };
}

function inLanguage(path: string, languages: readonly string[]): FoundAddress | null {
  const split = splitLanguage(path, languages);
  if (!split) return null;
  const { listedIn, below } = split;
  const place = { listedIn, path: prefixOf(listedIn) + below };
  if (below === '') return { route: POSTS_ROUTE, place };
  // A post has one address, whatever its language.
  const address = publicAddressOf(below);
  if (address?.pattern === 'posts/:slug') return { redirect: encodePath(below) };
  return address?.inLanguages ? { route: encodePath(below), place } : null;
}

function inList(path: string, settings: Settings): FoundAddress | null {
  return path === postsPathOf(settings) ? { route: POSTS_ROUTE, place: { listedIn: '', path } } : null;
}

/** Former addresses of the list of posts, and `/blog`, its default. */
function formerList(path: string, settings: Settings): FoundAddress | null {
  const postsPath = postsPathOf(settings);
  const isFormer = settings.old_posts_paths.includes(path) || (path === '/blog' && postsPath !== '/');
  return isFormer ? { redirect: encodePath(postsPath) } : null;
}

async function isPage(app: Reading, path: string, homePage: string): Promise<FoundAddress | null> {
  const page = await publicPageAt(app, path);
  if (!page) return null;
  return page.id === homePage ? { redirect: '/' } : { route: PAGE_ROUTE, place: { listedIn: '', path } };
}

/** A page has one address. Below a language, it redirects to the page's translation, or else to the page. */
async function pageInLanguage(
  app: Reading,
  path: string,
  languages: readonly string[],
): Promise<FoundAddress | null> {
  const split = splitLanguage(path, languages);
  const page = split && (await publicPageAt(app, split.below));
  if (!page) return null;
  const translations = await listTranslations(app, page);
  const same = translations.find(({ language }) => coveringLanguage(language, [split.listedIn]) !== null);
  return { redirect: encodePath(same?.path ?? split.below) };
}

async function publicPageAt(app: Reading, path: string) {
  if (path.split('/').length > 4 || path.length > 1_000) return null;
  app.recordKeys?.(pathKey(path));
  return app.db.post.findUnique({
    where: { slug: path, ...isPublic },
    select: { id: true, translationOf: true },
  });
}

/** The post, page, term or author that a public address means. */
export type AddressTarget =
  | {
      kind: 'post';
      id: string;
      title: string;
      status: string;
      publishedAt: Date | null;
      authorId: string | null;
    }
  | { kind: 'category' | 'tag' | 'author'; id: string; title: string };

const postColumns = { id: true, title: true, status: true, publishedAt: true, authorId: true } as const;

/** The page with an id, in any state but the trash. */
export async function findPage({ db }: Db, id: string): Promise<AddressTarget | null> {
  const post = await db.post.findFirst({ where: { id, type: 'page', ...notTrashed }, select: postColumns });
  return post && { kind: 'post', ...post };
}

/**
 * What is, was or will be at a public path: a post in any state but the trash, a category, a tag or an author.
 * @param path unencoded, such as `/posts/tides`
 */
export async function findByPath({ db }: Db, path: string): Promise<AddressTarget | null> {
  const [, kind, name] = /^\/(posts|categories|tags|authors)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'authors') {
    const author = await db.user.findUnique({
      where: { username: name! },
      select: { id: true, displayName: true },
    });
    return author && { kind: 'author', id: author.id, title: author.displayName };
  }
  const entry = await db.sitemapEntry.findUnique({ where: { path }, select: { postId: true } });
  const post = await db.post.findFirst({
    // A page's row has its whole path as the slug.
    where: { ...(entry ? { id: entry.postId } : { slug: kind === 'posts' ? name! : path }), ...notTrashed },
    select: postColumns,
  });
  if (post) return { kind: 'post', ...post };
  const select = { id: true, name: true } as const;
  if (kind === 'categories' || kind === 'tags') {
    const termKind = kind === 'tags' ? 'tag' : 'category';
    const term = await termTable(db, termKind).findUnique({ where: { slug: name! }, select });
    if (term) return { kind: termKind, id: term.id, title: term.name };
  }
  const redirect = await db.redirect.findUnique({
    where: { path },
    select: { post: { select: postColumns }, category: { select }, tag: { select } },
  });
  if (redirect?.category)
    return { kind: 'category', id: redirect.category.id, title: redirect.category.name };
  if (redirect?.tag) return { kind: 'tag', id: redirect.tag.id, title: redirect.tag.name };
  const moved = redirect?.post;
  return moved && moved.status !== TRASHED ? { kind: 'post', ...moved } : null;
}
