import { findSitemapPart } from '#app/feeds/sitemaps.server.ts';
import { isMediaPath } from '#app/media/library/path.ts';
import { isTrashedFile } from '#app/media/library/queries.server.ts';
import type { Stored } from '#app/media/store/media-store.ts';
import { createCachedReads, readShared, type SharedReads } from '#app/platform/http/shared-reads.ts';
import { PAGE_ROUTE, POSTS_ROUTE, publicAddressOf } from '#app/platform/http/public-addresses.ts';
import type { Db, Configured } from '#app/platform/services.ts';
import { findAddress } from '#app/posts/addresses/find-address.server.ts';
import { findRedirect, findRedirectOfQuery } from '#app/posts/addresses/find-redirect.server.ts';
import { oldSiteQueries } from '#app/posts/addresses/old-site-queries.ts';
import { ARCHIVE_PAGE_SIZE } from '#app/posts/lists/archive.server.ts';
import { countPosts } from '#app/posts/lists/counts.server.ts';
import { findAuthor, isPublic } from '#app/posts/lists/queries.server.ts';
import type { ListScope } from '#app/posts/lists/scope.ts';
import { decodePath, encodePath, postPath } from '#app/posts/paths.ts';
import { findTerm } from '#app/posts/terms/queries.server.ts';
import { redirectOfHome } from '#app/settings/catalogue.ts';
import { readSettings } from '#app/settings/queries.server.ts';

/** What a reader gets at an address: a page or file, a redirect, or nothing. */
export type PublicAnswer = 'found' | 'moved' | 'gone';

/** Finds what readers get at addresses of this site. Caches each answer. */
export class PublicAddresses {
  private readonly app: Db & Stored & { sharedReads: SharedReads };
  private readonly answers = new Map<string, Promise<PublicAnswer>>();

  constructor({ db, mediaStore }: Db & Stored) {
    this.app = { db, mediaStore, sharedReads: createCachedReads() };
  }

  /**
   * @param pathname percent-encoded
   * @param search the query: the home page reads all of it, lists read their `page`
   */
  answerAt(pathname: string, search = ''): Promise<PublicAnswer> {
    const query = new URLSearchParams(search);
    const page = query.get('page') ?? '';
    const address = pathname + (pathname === '/' ? search : `?page=${page}`);
    let answer = this.answers.get(address);
    if (!answer) {
      answer = pathname === '/' ? this.lookUpHome(query, page) : this.lookUp(pathname, page);
      this.answers.set(address, answer);
    }
    return answer;
  }

  /** Without a redirect, an address of a WordPress post shows the home page instead of the post: it is gone. */
  private async lookUpHome(query: URLSearchParams, page: string): Promise<PublicAnswer> {
    if (oldSiteQueries.some((name) => query.has(name)))
      return (await findRedirectOfQuery(this.app, query)) === null ? 'gone' : 'moved';
    const settings = await readShared(this.app, 'settings', readSettings);
    const hasHome =
      settings.home_page !== '' && (await this.isPost({ id: settings.home_page, type: 'page' }));
    const moved = redirectOfHome(settings, { hasHome, isLater: query.has('page') });
    if (moved !== null) return this.redirectTo(encodePath(moved), page);
    return hasHome ? 'found' : this.pageOf('/', '', page);
  }

  private async lookUp(pathname: string, page: string): Promise<PublicAnswer> {
    const address = await findAddress(this.app, pathname);
    if (address && 'redirect' in address) return this.redirectTo(address.redirect, page);
    if (address) return this.lookUpRoute(address.route, address.place.listedIn, page);
    if (await this.isFound(pathname)) return this.pageOf(pathname, '', page);
    if ((await findRedirect(this.app, pathname)) !== null) return 'moved';
    // The site redirects the feed of a moved list, and an address with a slash at its end.
    const list = listOfFeed(pathname);
    if (list !== null && (await findRedirect(this.app, list)) !== null) return 'moved';
    const bare = pathname.replace(/\/+$/, '');
    return bare === '' || bare === pathname ? 'gone' : this.redirectTo(bare, page);
  }

  /** A page, the list of posts, or an address below a language. */
  private async lookUpRoute(route: string, listedIn: string, page: string): Promise<PublicAnswer> {
    if (route === PAGE_ROUTE || route === POSTS_ROUTE || (await this.isFound(route, listedIn)))
      return this.pageOf(route, listedIn, page);
    const list = listOfFeed(route);
    const moved = await findRedirect(this.app, list ?? route, listedIn);
    // A list without posts in the language redirects to the main list. Its feed does not.
    if (list !== null) return moved?.startsWith(`/${listedIn}/`) ? 'moved' : 'gone';
    return moved === null ? this.redirectTo(route, page) : 'moved';
  }

  /** A redirect to nothing shows readers nothing. */
  private async redirectTo(pathname: string, page: string): Promise<PublicAnswer> {
    const search = page === '' ? '' : `?${new URLSearchParams({ page })}`;
    return (await this.answerAt(pathname, search)) === 'gone' ? 'gone' : 'moved';
  }

  /** A page of a list is gone if the list has fewer pages. `page`: blank for the first one. */
  private async pageOf(route: string, listedIn: string, page: string): Promise<PublicAnswer> {
    const path = decodePath(route);
    if (page === '' || path === null || publicAddressOf(path)?.kept !== 'by page') return 'found';
    if (!/^[1-9]\d{0,6}$/.test(page)) return 'gone';
    const [, kind = '', name = ''] = path.split('/');
    const settings = await readShared(this.app, 'settings', readSettings);
    const size = kind === 'archive' ? ARCHIVE_PAGE_SIZE : settings.posts_per_page;
    const posts = await countPosts(this.app, { listedIn, ...(await this.listOf(kind, name, listedIn)) });
    return Number(page) <= Math.max(1, Math.ceil(posts / size)) ? 'found' : 'gone';
  }

  private async listOf(kind: string, name: string, listedIn: string): Promise<ListScope> {
    if (kind === 'categories')
      return { categoryId: (await findTerm(this.app, 'category', name, listedIn))?.id };
    if (kind === 'tags') return { tagId: (await findTerm(this.app, 'tag', name, listedIn))?.id };
    return kind === 'authors' ? { authorId: (await findAuthor(this.app, name, listedIn))?.id } : {};
  }

  private async isFound(pathname: string, listedIn = ''): Promise<boolean> {
    const path = decodePath(pathname);
    const address = path === null ? null : publicAddressOf(path);
    if (path === null || !address) return false;
    const [, kind = '', name = ''] = path.split('/');
    switch (kind) {
      case 'posts':
        return this.isPost({ slug: name });
      case 'categories':
        return name === '' || (await findTerm(this.app, 'category', name, listedIn)) !== null;
      case 'tags':
        return name === '' || (await findTerm(this.app, 'tag', name, listedIn)) !== null;
      case 'authors':
        return (await findAuthor(this.app, name, listedIn)) !== null;
      case 'sitemaps':
        return (await findSitemapPart(this.app, name)) !== null;
      case 'uploads':
        return this.isUpload(path.slice('/uploads/'.length));
      default:
        // Deeper addresses are for machines, for one visitor, or routes that have other addresses. No build has a
        // favicon.ico.
        return name === '' && kind !== 'favicon.ico';
    }
  }

  private async isPost(post: { slug: string } | { id: string; type: 'page' }): Promise<boolean> {
    return (
      (await this.app.db.post.findUnique({ where: { ...post, ...isPublic }, select: { id: true } })) !== null
    );
  }

  private async isUpload(below: string): Promise<boolean> {
    if (!isMediaPath(below) || (await isTrashedFile(this.app, below))) return false;
    return (await this.app.mediaStore.head(below)) !== null;
  }
}

/** The address of the list whose feed this is; null for any other address, `''` for the feed of the site. */
function listOfFeed(pathname: string): string | null {
  const path = decodePath(pathname);
  return path !== null && publicAddressOf(path)?.isFeed ? pathname.replace(/\/[^/]+$/, '') : null;
}

/** What `content:check-links` prints. */
export interface LinkCheck {
  /** Links and pictures with addresses of this site. */
  checked: number;
  dead: { page: string; link: string }[];
}

const PAGE_SIZE = 50;
const DEAD_LINKS_MAX = 50;

/**
 * Checks the links and pictures of all published posts, and the links of the header and footer, that have addresses of
 * this site. A link is dead when its address answers 404. An old address that redirects is not dead.
 */
export async function checkLinks(
  app: Db & Configured & Stored,
  onProgress: (progress: { step: string; done: number; total: number }) => void = () => {},
): Promise<LinkCheck> {
  const addresses = new PublicAddresses(app);
  const result: LinkCheck = { checked: 0, dead: [] };
  const check = async (page: string, links: Iterable<string>) => {
    for (const link of links) {
      const url = ownUrlOf(link, page, app.env.siteUrl);
      if (url === null) continue;
      result.checked += 1;
      if ((await addresses.answerAt(url.pathname, url.search)) === 'gone') result.dead.push({ page, link });
    }
  };
  const { navigation, footer, header_button: button, announcement } = await readSettings(app);
  const entries = [...navigation, ...footer].flatMap((entry) => [entry, ...entry.children]);
  await check(
    '/',
    [...entries, button, announcement].flatMap((entry) => entry?.href || []),
  );
  const total = await countPosts(app);
  let done = 0;
  for (let after = ''; ;) {
    const posts = await app.db.post.findMany({
      where: { ...isPublic, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE_SIZE,
      select: { id: true, slug: true, bodyHtml: true },
    });
    for (const { slug, bodyHtml } of posts) {
      onProgress({ step: 'Checking links', done: (done += 1), total });
      await check(encodePath(postPath(slug)), linksOf(bodyHtml));
    }
    if (posts.length < PAGE_SIZE) return result;
    after = posts.at(-1)!.id;
  }
}

/** Addresses that a planned change creates or removes, decoded. */
export interface ChangedAddresses {
  appear: ReadonlySet<string>;
  vanish: ReadonlySet<string>;
}

const noChanges: ChangedAddresses = { appear: new Set(), vanish: new Set() };

/**
 * The dead links and pictures of a page: those with addresses of this site that show readers nothing.
 * @param page its path
 */
export async function findDeadLinks(
  app: Db & Configured & Stored,
  page: string,
  links: Iterable<string>,
  changed: ChangedAddresses = noChanges,
): Promise<string[]> {
  const addresses = new PublicAddresses(app);
  const dead: string[] = [];
  for (const link of links) {
    const url = ownUrlOf(link, page, app.env.siteUrl);
    if (url === null || url.pathname === page || dead.length >= DEAD_LINKS_MAX) continue;
    const { pathname, search } = url;
    const path = decodePath(pathname) ?? pathname;
    if (changed.appear.has(path)) continue;
    if (changed.vanish.has(path) || (await addresses.answerAt(pathname, search)) === 'gone') dead.push(link);
  }
  return dead;
}

/** The addresses in stored HTML, each once. Stored HTML always has them in double quotes. */
export function linksOf(html: string): Set<string> {
  const addresses = [...html.matchAll(/\s(?:href|src|poster)="([^"]*)"/g)].map(([, address]) => address!);
  return new Set(
    addresses.map((address) =>
      address.replaceAll('&quot;', '"').replaceAll('&#x26;', '&').replaceAll('&amp;', '&'),
    ),
  );
}

/** The address of a link to another page of this site; null for any other link. */
function ownUrlOf(link: string, page: string, siteUrl: string): URL | null {
  const base = new URL(page, siteUrl);
  if (link.startsWith('#') || !URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  return url.origin === base.origin ? url : null;
}
